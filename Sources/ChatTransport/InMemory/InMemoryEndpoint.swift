import Primitives

/// What an `InMemoryNetwork` knows of one endpoint.
struct InMemoryEndpoint {
  enum Entry {
    case event(TransportEvent)
    case message(ReceivedMessage, MessageID)
  }

  let information: PeerInformation
  let capabilities: TransportCapabilities
  let limits: InMemoryQueueLimits
  var isClosed = false
  /// In the order in which the peers joined, which is that of their identifiers.
  var links: [InMemoryLink] = []
  var inbox = Queue<Entry>()
  var statistics = TransportStatistics()
  private var peerCount: UInt64 = 0
  private var messageCount: UInt64 = 0

  init(
    information: PeerInformation, capabilities: TransportCapabilities, limits: InMemoryQueueLimits
  ) {
    self.information = information
    self.capabilities = capabilities
    self.limits = limits
  }

  func link(to remote: Int) -> Int? { links.firstIndex { $0.remote == remote } }
  func link(of peer: PeerID) -> Int? { links.firstIndex { $0.peer == peer } }

  /// When the first of the messages that are held back becomes too old.
  var expiry: Instant? {
    links.reduce(nil) { Instant.earlier($0, $1.expiry) }
  }

  func hasRoom(for size: Int, over link: Int) -> Bool {
    links[link].queuedCount < limits.messages && links[link].queuedBytes + size <= limits.bytes
  }

  mutating func tell(_ event: TransportEvent) { inbox.append(.event(event)) }

  mutating func newPeerID() -> PeerID {
    peerCount += 1
    return PeerID(rawValue: peerCount)
  }

  mutating func newMessageID() -> MessageID {
    messageCount += 1
    return MessageID(rawValue: messageCount)
  }

  /// Takes a message into the queue, and says whether it has become long by that.
  mutating func enqueue(_ message: InMemoryMessage, over link: Int) -> Bool {
    links[link].enqueue(
      message, isTracked: capabilities.acknowledgesMessages && message.delivery.isReliable)
    let isLong =
      links[link].queuedCount * 2 > limits.messages || links[link].queuedBytes * 2 > limits.bytes
    guard isLong, !links[link].isUnderPressure else { return false }
    links[link].isUnderPressure = true
    return true
  }

  /// Takes a message off the queue, and says whether it has become short again by that.
  mutating func dequeue(_ id: MessageID, size: Int, over link: Int) -> Bool {
    links[link].dequeue(id, size: size)
    let isShort =
      links[link].queuedCount * 4 <= limits.messages && links[link].queuedBytes * 4 <= limits.bytes
    guard isShort, links[link].isUnderPressure else { return false }
    links[link].isUnderPressure = false
    return true
  }

  /// Gives up what is under way, and tells that the peer has left.
  mutating func endLink(at index: Int, _ reason: LeaveReason) {
    let link = links.remove(at: index)
    for id in link.unacknowledged { tell(.givenUp(id, to: link.peer, .connectionEnded)) }
    tell(.peerLeft(link.peer, reason))
  }
}
