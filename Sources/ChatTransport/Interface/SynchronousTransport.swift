public import Primitives

/// The synchronous face of a transport: a machine without I/O that sends and tells of messages.
///
/// What is written against this face (a room, a workload, a game) runs unchanged, and exactly
/// repeatably, in virtual time, and on the loop thread of a real transport with no hop between.
///
/// The contract: after any call, pull `nextEvent` until it returns `nil`, then read `deadline`, and
/// call `advance` no later than that. Whoever owns the transport moves its datagrams or bytes; the
/// user of this face does not see them. Instants never go backwards.
public protocol SynchronousTransport: ~Copyable {
  /// What this transport can do; constant for its whole life.
  var capabilities: TransportCapabilities { get }

  /// Accepts a message for sending, whole or not at all. The payload is copied.
  ///
  /// To everyone, the call fails only for what concerns the message itself; a peer whose queue is
  /// full gets `givenUp` with `queueFull`, and the others are not held up by it.
  mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt

  /// The next thing that happened, or `nil` where there is nothing more to tell for now.
  mutating func nextEvent() -> TransportEvent?

  /// Acts on every timer that is due at `now`.
  mutating func advance(to now: Instant)

  /// When `advance` has to be called next; `nil` where nothing waits for time to pass.
  var deadline: Instant? { get }

  /// Ends the connection to one peer in an orderly way: it is told, and `peerLeft` follows.
  mutating func disconnect(_ peer: PeerID, at now: Instant)

  /// Ends all connections in an orderly way. `closed` follows as the last event, as soon as every
  /// peer knows or the time for that has run out. Calling it again changes nothing.
  mutating func close(at now: Instant)

  /// Figures of one peer, or `nil` where it is not there.
  func statistics(of peer: PeerID) -> TransportStatistics?

  /// Figures over all peers that there were.
  var statistics: TransportStatistics { get }
}

/// A machine that is written against the synchronous face: it reads a transport's events, sends
/// over it, and may have timers of its own.
public protocol TransportApplication: ~Copyable {
  /// Reads all events of `transport`, acts on them and on the timers that are due at `now`.
  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant)

  /// When `run` has to be called even though the transport has nothing to tell.
  var deadline: Instant? { get }
}
