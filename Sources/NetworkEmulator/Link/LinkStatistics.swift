/// What became of the datagrams that were offered to a link. All but the bytes count datagrams.
///
/// When nothing is under way, `offered + duplicated = lost + queueDropped + overflowed +
/// delivered` holds, and for a link of a `VirtualNetwork` what it discarded at the far end stands
/// beside `delivered`.
public struct LinkStatistics: Hashable, Sendable {
  /// Handed to the link.
  public var offered = 0
  /// The bytes of all that was offered.
  public var offeredBytes = 0
  /// Lost by the impairment.
  public var lost = 0
  /// Dropped in front of the bottleneck, since too much waited there.
  public var queueDropped = 0
  /// Copies that were made.
  public var duplicated = 0
  /// Sent out of turn. Whether one really overtook another, or was overtaken, depends on what
  /// else was under way.
  public var reordered = 0
  /// Dropped because too much was under way: a limit of the emulator, not of the network.
  public var overflowed = 0
  /// Handed out at the far end, copies included.
  public var delivered = 0

  public init() {}

  public static func += (left: inout LinkStatistics, right: LinkStatistics) {
    left.offered += right.offered
    left.offeredBytes += right.offeredBytes
    left.lost += right.lost
    left.queueDropped += right.queueDropped
    left.duplicated += right.duplicated
    left.reordered += right.reordered
    left.overflowed += right.overflowed
    left.delivered += right.delivered
  }
}
