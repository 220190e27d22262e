import ChatTransport
import Primitives

/// What an operation finds when the transport has ended: everything refused, nobody there.
struct EndedTransport: SynchronousTransport {
  let capabilities: TransportCapabilities

  func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    throw .closed
  }

  func nextEvent() -> TransportEvent? { nil }
  func advance(to now: Instant) {}
  var deadline: Instant? { nil }
  func disconnect(_ peer: PeerID, at now: Instant) {}
  func close(at now: Instant) {}
  func statistics(of peer: PeerID) -> TransportStatistics? { nil }
  var statistics: TransportStatistics { TransportStatistics() }
}
