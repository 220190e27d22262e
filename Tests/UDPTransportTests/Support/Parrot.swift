import ChatTransport
import Primitives

/// A machine that sends what it is told to, and keeps what comes.
struct Parrot: DatagramMachine, SynchronousTransport, ~Copyable {
  struct Failure: Equatable {
    var size: Int
    var path: Path
    var error: SendFailure
  }

  /// What is to be sent: each with the size of the datagrams in it.
  var outbox: [(transmit: Transmit, bytes: [UInt8])] = []
  /// Sends everything back.
  var isEcho = false
  /// What is sent in the place of what failed.
  var remedy: [UInt8]?
  var alarm: Instant?
  /// Has a deadline that has passed while it has something to send.
  var isImpatient = false
  private(set) var received: [[UInt8]] = []
  private(set) var failures: [Failure] = []
  private(set) var largestRoom = 0

  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    let bytes = datagram.copy(0..<datagram.count)
    received.append(bytes)
    if isEcho { outbox.append((Transmit(path: arrival.path), bytes)) }
  }

  mutating func nextTransmit(into buffer: inout OutputSpan<UInt8>, at now: Instant) -> Transmit? {
    largestRoom = max(largestRoom, buffer.freeCapacity)
    guard !outbox.isEmpty else { return nil }
    let next = outbox.removeFirst()
    buffer.append(contentsOf: next.bytes)
    return next.transmit
  }

  mutating func didFailToSend(
    size: Int, on path: Path, error: SendFailure, at now: Instant
  ) {
    failures.append(Failure(size: size, path: path, error: error))
    if let remedy { outbox.append((Transmit(path: path), remedy)) }
    remedy = nil
  }

  mutating func advance(to now: Instant) {
    if let due = alarm, due <= now { alarm = nil }
  }

  var deadline: Instant? { isImpatient && !outbox.isEmpty ? .zero : alarm }

  var capabilities: TransportCapabilities { Till().capabilities }

  mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    throw .closed
  }

  mutating func nextEvent() -> TransportEvent? { nil }
  mutating func disconnect(_ peer: PeerID, at now: Instant) {}
  mutating func close(at now: Instant) {}
  func statistics(of peer: PeerID) -> TransportStatistics? { nil }
  var statistics: TransportStatistics { TransportStatistics() }
}
