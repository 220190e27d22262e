public import ChatTransport
import Primitives

/// Sending many messages at once: much cheaper than `send`, from whatever thread. They are told of
/// like others when they are acknowledged, but a call does not tell their numbers.
extension UDPTransport {
  /// Takes messages for `peer`, from the first on, as many as there is room for, out of `run`.
  /// Returns how many those were: none where it has to wait, for `waitForRoom`. Messages that were
  /// taken are dropped where the peer has left when their turn comes; see `outboxDropped`.
  public func send(
    _ run: inout MessageRun, to peer: PeerID, _ options: SendOptions = SendOptions()
  ) throws(SendError) -> Int {
    try outbox.send(&run, to: peer, options, within: capabilities)
  }

  /// The same for messages that stand in the caller's own memory, in the form of
  /// `SynchronousTransport.send(run:count:)`: spares a copy. Returns how many were taken, and how
  /// many bytes they have.
  public func send(
    run: Span<UInt8>, count: Int, to peer: PeerID, _ options: SendOptions = SendOptions()
  ) throws(SendError) -> (count: Int, byteCount: Int) {
    try outbox.send(run: run, count: count, to: peer, options, within: capabilities)
  }

  /// Sends all of `run`, waiting for room as often as is needed. Where it throws, and where the
  /// task is cancelled, what was not taken is still in `run`.
  public func sendAll(
    _ run: inout MessageRun, to peer: PeerID, _ options: SendOptions = SendOptions()
  ) async throws(SendError) {
    while !run.isEmpty, !Task.isCancelled {
      if try send(&run, to: peer, options) == 0 { await waitForRoom(for: peer) }
    }
  }

  /// Waits until there is room for messages to `peer`, or the transport has ended. Returns at once
  /// where the task is cancelled.
  public func waitForRoom(for peer: PeerID) async { await outbox.waitForRoom(for: peer) }

  /// The same for a thread that may be blocked. Not for tasks, whose threads are few.
  public func blockUntilRoom(for peer: PeerID) { outbox.blockUntilRoom(for: peer) }

  /// Messages of runs that could not be sent any more when their turn came, mostly since their peer
  /// had left.
  public var outboxDropped: UInt64 { outbox.dropped }
}
