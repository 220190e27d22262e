/// What a room dropped, by reason.
public struct RoomCounters: Hashable, Sendable {
  /// Messages that are not in the form of the conversation, and plain datagrams that are no frames.
  public var malformed: UInt64 = 0
  /// Messages on channels that the room does not read.
  public var otherChannel: UInt64 = 0
  /// Messages of a peer that has not joined.
  public var unknownPeer: UInt64 = 0
  /// Records of other rooms, and plain datagrams outside the default room.
  public var otherRoom: UInt64 = 0
  /// Our own records, come back.
  public var reflected: UInt64 = 0
  /// Lines that had arrived already, or had been told as missing, and greetings said again.
  public var duplicates: UInt64 = 0
  /// Records from an earlier life of their author.
  public var stale: UInt64 = 0
  /// Records in the name of somebody for whom this peer may not speak.
  public var impersonated: UInt64 = 0
  /// Greetings that would have made more members than the limits allow.
  public var overMemberLimit: UInt64 = 0
  /// Records that came before their author's greeting and found no room to wait.
  public var overWaitingLimit: UInt64 = 0

  public init() {}
}
