import ChatTransport
import Primitives

/// A transport that takes so many messages for each peer as it is told to, and keeps them.
struct Till: SynchronousTransport {
  /// How many messages more each peer has room for; a peer that is not in here is not there.
  var room: [PeerID: Int] = [:]
  private(set) var taken: [PeerID: [[UInt8]]] = [:]

  let capabilities = TransportCapabilities(
    deliveries: [.ordered, .reliable], maximumMessageSize: 100_000, channelCount: 4,
    numbersMessages: true, acknowledgesMessages: true, supportsMaximumAge: false)

  mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    guard case .peer(let peer) = destination, let left = room[peer] else { throw .closed }
    guard left > 0 else { throw .wouldBlock(peer) }
    room[peer] = left - 1
    taken[peer, default: []].append(payload.copy(0..<payload.count))
    return SendReceipt(id: MessageID(rawValue: 0), granted: options.delivery, recipients: 1)
  }

  mutating func nextEvent() -> TransportEvent? { nil }
  mutating func advance(to now: Instant) {}
  var deadline: Instant? { nil }
  mutating func disconnect(_ peer: PeerID, at now: Instant) {}
  mutating func close(at now: Instant) {}
  func statistics(of peer: PeerID) -> TransportStatistics? { nil }
  var statistics: TransportStatistics { TransportStatistics() }
}
