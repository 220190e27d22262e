import ChatCodec
public import ChatTransport
public import Primitives

/// How we leave.
extension ChatRoom {
  /// Says goodbye, and closes the transport as soon as every peer holds that, after `leaveDelay` at
  /// the latest; until then `deadline` counts on. `closed` follows as the last event. Called again,
  /// it closes the transport at once.
  ///
  /// What is still on its way may be lost by that; wait for `isQuiet` first where it matters.
  public mutating func leave<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    if case .joined(let name) = state {
      sayGoodbye(as: name, over: &transport, at: now)
    } else {
      farewell = nil
    }
    state = .left
    resolveNames()
    if farewell == nil { transport.close(at: now) }
  }

  /// A peer holds our goodbye, or never will.
  mutating func farewellSettled<Transport: SynchronousTransport & ~Copyable>(
    by peer: PeerID, over transport: inout Transport, at now: Instant
  ) {
    farewell?.peers.removeAll { $0 == peer }
    guard farewell?.peers.isEmpty == true else { return }
    farewell = nil
    transport.close(at: now)
  }

  private mutating func sayGoodbye<Transport: SynchronousTransport & ~Copyable>(
    as name: ChatName, over transport: inout Transport, at now: Instant
  ) {
    let bye = ConversationMessage.record(record(.bye, sequence: saidCount, name: name, body: []))
    // Where it is refused, or cannot be acknowledged, the end of the connection says the same.
    guard
      let receipt = try? transport.send(
        bye.encoded().span, to: .everyone, options(.reliable), at: now),
      transport.capabilities.acknowledgesMessages, receipt.recipients > 0, !peers.isEmpty
    else { return }
    farewell = OwnFarewell(
      message: receipt.id, peers: peers.map(\.id), due: now + configuration.leaveDelay)
  }

  struct OwnFarewell: Sendable {
    let message: MessageID
    /// Those of whom nothing has been heard about it.
    var peers: [PeerID]
    /// When the transport is closed all the same.
    let due: Instant
  }
}
