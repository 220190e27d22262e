/// What discovery sent, heard, and did not do.
public struct DiscoveryStatistics: Hashable, Sendable {
  /// Why a datagram was dropped.
  public enum DropReason: Int, Hashable, Sendable, CaseIterable {
    /// Discovery is off, or goodbye has been said.
    case notListening
    /// It came by an interface, or in a family, that is not used.
    case unusedInterface
    /// Its source address cannot be answered: port 0, a group, a broadcast address, or none.
    case invalidSource
    /// Its source address is not on the link it came by (RFC 6762, section 11).
    case offLink
    /// Its hop limit is not 255, so a router forwarded it (RFC 5082, section 3).
    case forwarded
    /// It was sent to another group.
    case foreignGroup
    /// It is no well-formed beacon.
    case malformed
    /// It is a beacon of an unknown version.
    case unsupportedVersion
    /// We sent it ourselves.
    case own
    /// It shares no topic with us.
    case otherTopic
    /// A goodbye that did not come from where that incarnation was seen.
    case unknownDeparture
    /// A query from one observer to another.
    case observer
  }

  /// Beacons to a group, goodbyes among them.
  public var beaconsSent: UInt64 = 0
  /// Beacons to a single peer.
  public var answersSent: UInt64 = 0
  /// Beacons that were not dropped.
  public var beaconsReceived: UInt64 = 0
  /// Candidates not told because of a limit; repetitions within a second do not count.
  public var candidatesWithheld: UInt64 = 0
  /// Answers not sent because of a limit.
  public var answersWithheld: UInt64 = 0
  /// Peers forgotten to make room for others.
  public var sightingsEvicted: UInt64 = 0
  /// Events lost because nobody pulled them.
  public var eventsLost: UInt64 = 0

  private var drops = [UInt64](repeating: 0, count: DropReason.allCases.count)

  public init() {}

  /// How many datagrams were dropped for `reason`.
  public subscript(reason: DropReason) -> UInt64 { drops[reason.rawValue] }

  /// How many datagrams were dropped in all.
  public var dropped: UInt64 { drops.reduce(0, &+) }

  mutating func drop(_ reason: DropReason) {
    drops[reason.rawValue] &+= 1
  }
}
