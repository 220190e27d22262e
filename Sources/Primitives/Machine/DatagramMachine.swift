/// A protocol as a value: datagrams and time go in, datagrams and a next deadline come out.
///
/// The contract, for a real socket, the emulator and a fuzzer alike: after `receive`, after
/// `advance`, and after any call of the machine's own that gives it work, pull `nextTransmit`
/// until it returns `nil`; then read `deadline`, and call `advance` no later than that. Instants
/// never go backwards. Given the same calls, a machine gives the same answers, bit for bit.
public protocol DatagramMachine: ~Copyable {
  /// Takes in one datagram. Nothing in it is trusted; what is wrong is dropped and counted.
  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant)

  /// Acts on every timer that is due at `now`.
  mutating func advance(to now: Instant)

  /// Writes the next datagram into `buffer`, which is empty and holds at least 1,200 bytes, or
  /// several: at most 64, all to one path and all of one size but the last, which may be smaller.
  ///
  /// A driver gives room for as many as one call of the system sends, up to 65,507 bytes; the more
  /// of it is used, the less each of them costs. A driver that cannot send at the moment does not
  /// pull until it can: what is written is on its way.
  mutating func nextTransmit(into buffer: inout OutputSpan<UInt8>, at now: Instant) -> Transmit?

  /// Told when a datagram that was written could not be sent: it did not leave this host. Not every
  /// failure is told. It may give the machine work.
  ///
  /// - Parameter size: The size of the datagram, in bytes.
  mutating func didFailToSend(
    size: Int, on path: Path, error: SendFailure, at now: Instant)

  /// When `advance` has to be called next; `nil` where nothing waits for time to pass.
  var deadline: Instant? { get }
}

extension DatagramMachine where Self: ~Copyable {
  /// Does nothing: to a protocol that hears nothing of it, the datagram is lost.
  public mutating func didFailToSend(
    size: Int, on path: Path, error: SendFailure, at now: Instant
  ) {}
}
