import Primitives

/// A message on its way through an `InMemoryNetwork`.
struct InMemoryMessage {
  var id: MessageID
  var channel: UInt8
  var delivery: Delivery
  var sequence: UInt64 = 0
  /// When it is given up.
  var expiry: Instant?
  var payload: [UInt8]

  /// What its sequence number is counted in.
  var stream: Int { Int(channel) * Delivery.allCases.count + Int(delivery.rawValue) }
}

/// One direction of a connection between two endpoints, at the one that sends.
struct InMemoryLink {
  let peer: PeerID
  /// The index of the endpoint at the other end.
  let remote: Int
  /// By which name the other end knows this one.
  let nameThere: PeerID
  var isHeld = false
  var held = Queue<InMemoryMessage>()
  /// How many messages of the kinds that may be lost will be lost next.
  var dropCount = 0
  var isUnderPressure = false
  /// Messages that the receiver has not pulled yet, held back or not.
  private(set) var queuedCount = 0
  private(set) var queuedBytes = 0
  /// In the order in which they were sent.
  private(set) var unacknowledged: [MessageID] = []
  var statistics = TransportStatistics()
  private var sent: [Int: UInt64] = [:]
  private var expected: [Int: UInt64] = [:]

  init(peer: PeerID, remote: Int, nameThere: PeerID) {
    self.peer = peer
    self.remote = remote
    self.nameThere = nameThere
  }

  var expiry: Instant? {
    (0..<held.count).reduce(nil) { Instant.earlier($0, held[$1].expiry) }
  }

  /// Gives a message its number among those of its channel and kind.
  mutating func number(_ message: InMemoryMessage) -> InMemoryMessage {
    var message = message
    message.sequence = sent[message.stream, default: 0]
    sent[message.stream] = message.sequence + 1
    return message
  }

  /// What is missing before a message that has arrived over this connection.
  mutating func gap(before message: InMemoryMessage) -> Range<UInt64>? {
    let next = expected[message.stream, default: 0]
    expected[message.stream] = message.sequence + 1
    guard !message.delivery.isReliable, next < message.sequence else { return nil }
    return next..<message.sequence
  }

  mutating func enqueue(_ message: InMemoryMessage, isTracked: Bool) {
    queuedCount += 1
    queuedBytes += message.payload.count
    statistics.messagesSent += 1
    if isTracked { unacknowledged.append(message.id) }
  }

  mutating func dequeue(_ id: MessageID, size: Int) {
    queuedCount -= 1
    queuedBytes -= size
    if let index = unacknowledged.firstIndex(of: id) { unacknowledged.remove(at: index) }
  }
}
