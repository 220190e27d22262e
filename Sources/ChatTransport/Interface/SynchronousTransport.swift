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

  /// Accepts many messages for sending, in their order, as many from the first on as it can. The
  /// bytes are copied. What `send` would throw for the first is thrown; for a later one the call
  /// ends before it, and trying again tells.
  ///
  /// - Parameters:
  ///   - run: The messages, each as its length and its payload; the length is a variable-length
  ///     number (RFC 9000, section 16). Anything else is the caller's fault.
  ///   - count: How many there are.
  /// - Returns: How many were accepted, each as by a `send` of its own: at least one, unless
  ///   `count` is 0.
  mutating func send(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int

  /// The next thing that happened, or `nil` where there is nothing more to tell for now.
  mutating func nextEvent() -> TransportEvent?

  /// Lends the messages up to the next event of another kind, at most `limit`, in order, for the
  /// call of `body` alone; returns how many there were. Nothing is copied. To read everything, call
  /// it before each `nextEvent`, which tells of messages too where this returns 0 although there
  /// are some: a transport need not be able to lend.
  mutating func readMessages(
    atMost limit: Int, _ body: (Span<UInt8>, MessageInfo) -> Void
  ) -> Int

  /// Hands the messages up to the next event of another kind, at most `limit`, to `batch`, behind
  /// what waits there; returns how many there were. For those who pass them on to another thread;
  /// otherwise as `readMessages`.
  mutating func moveMessages(atMost limit: Int, to batch: inout EventBatch) -> Int

  /// Holds the messages of the reliable kinds back that come from a peer on a channel, or takes
  /// them again. What is held back fills the window of its stream, and its sender has to wait;
  /// everything else goes on. A transport that cannot do it goes on as before.
  mutating func setReceiving(
    _ isReceiving: Bool, from peer: PeerID, channel: UInt8, at now: Instant)

  /// Whether `nextEvent` has something to tell, as far as the transport knows beforehand; for the
  /// owner, who asks after all else is done whether the user has to be called once more.
  var hasEvents: Bool { get }

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

extension SynchronousTransport where Self: ~Copyable {
  public mutating func send(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int {
    try sendEach(run: run, count: count, to: destination, options, at: now)
  }

  /// Sends the messages of a run one by one.
  public mutating func sendEach(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int {
    var offset = 0
    for index in 0..<count {
      guard let length = run.variableLength(at: &offset).flatMap({ Int(exactly: $0) }),
        let range = run.bytes(length, at: &offset)
      else { preconditionFailure("message \(index) of a run is not whole") }
      do throws(SendError) {
        _ = try send(run.extracting(range), to: destination, options, at: now)
      } catch {
        guard index > 0 else { throw error }
        return index
      }
    }
    return count
  }

  public mutating func readMessages(
    atMost limit: Int, _ body: (Span<UInt8>, MessageInfo) -> Void
  ) -> Int { 0 }

  public mutating func moveMessages(atMost limit: Int, to batch: inout EventBatch) -> Int {
    readMessages(atMost: limit) { payload, info in batch.append(payload, info) }
  }

  /// Lends all messages up to the next event of another kind.
  public mutating func readMessages(_ body: (Span<UInt8>, MessageInfo) -> Void) -> Int {
    readMessages(atMost: .max, body)
  }

  public mutating func setReceiving(
    _ isReceiving: Bool, from peer: PeerID, channel: UInt8, at now: Instant
  ) {}

  public var hasEvents: Bool { false }
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
