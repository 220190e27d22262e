public import NetworkEmulator

/// What passed a wire, and whether it kept its promises.
public struct WireStatistics: Hashable, Sendable {
  /// What happened on the links, over all of them.
  public var links = LinkStatistics()
  /// By how much packets were handed over later than they were due, in nanoseconds.
  public var lateness: [UInt64] = []
  /// Packets that an endpoint's device dropped because the wire did not take them in time.
  public var queueDrops = 0
  /// Packets that an endpoint's device did not take.
  public var refusals = 0
  /// Packets that are not IPv4, or for nobody.
  public var strays = 0

  public init() {}

  /// How many latenesses are kept at most; the others are counted by nobody.
  static let latenessLimit = 4_000_000
}
