/// What is known of a received message beside its payload; for messages that are lent and not
/// copied.
public struct MessageInfo: Hashable, Sendable {
  public var peer: PeerID
  public var channel: UInt8
  /// The delivery under which it came.
  public var delivery: Delivery
  /// Its number among the messages of this peer, channel and delivery, from 0 upwards, where the
  /// transport counts them.
  public var sequence: UInt64?

  public init(peer: PeerID, channel: UInt8, delivery: Delivery, sequence: UInt64? = nil) {
    self.peer = peer
    self.channel = channel
    self.delivery = delivery
    self.sequence = sequence
  }
}
