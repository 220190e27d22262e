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

  /// Writes the next datagram into `buffer`, which is empty and holds at least 1,200 bytes.
  mutating func nextTransmit(into buffer: inout OutputSpan<UInt8>, at now: Instant) -> Transmit?

  /// When `advance` has to be called next; `nil` where nothing waits for time to pass.
  var deadline: Instant? { get }
}
