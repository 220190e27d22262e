import Primitives

/// How far behind an acknowledged packet another counts as lost, by number and by time.
///
/// RFC 9002, section 6.1, has fixed thresholds and allows adaptive ones. As in RFC 8985 (RACK) and
/// RFC 4653, a loss that proves to be none raises the threshold that was too low, at once by as
/// much as was missing; sixteen episodes of loss without reordering halve what was added.
struct LossThresholds {
  /// Behind by so many numbers is lost.
  private(set) var packets = Self.minimumPackets
  /// Sent so many eighths of a round trip ago is lost.
  private(set) var eighths = Self.minimumEighths
  private var calmEpisodes = 0

  /// RFC 9002, section 6.1.1, kPacketThreshold.
  static let minimumPackets: UInt64 = 3
  /// RFC 9002, section 6.1.2, kTimeThreshold.
  static let minimumEighths: Int64 = 9
  /// Waiting for more than two round trips is no better than a probe.
  static let maximumEighths: Int64 = 16
  /// The packet threshold rises no further, or to an eighth of what is in flight where that is
  /// more.
  static let maximumPackets: UInt64 = 64
  /// RFC 8985, section 6.2, step 4: as many recoveries keep what was learnt.
  private static let calmLimit = 16

  /// A packet arrived `distance` numbers behind one acknowledged before, `age` after it was sent,
  /// and counted as lost.
  mutating func noteSpuriousLoss(
    distance: UInt64, age: Interval, roundTrip: RoundTripEstimator, packetsInFlight: Int
  ) {
    calmEpisodes = 0
    if distance >= packets {
      packets = max(
        packets, min(distance + 1, max(Self.maximumPackets, UInt64(packetsInFlight / 8))))
    }
    // An outage is no reordering: what would not have helped is not learnt.
    let needed = roundTrip.lossEighths(for: age)
    if needed <= Self.maximumEighths { eighths = max(eighths, needed) }
  }

  /// A packet arrived behind one acknowledged before, in time.
  mutating func noteReordering(distance: UInt64) {
    if distance > packets / 2 { calmEpisodes = 0 }
  }

  /// A first loss in a round trip.
  mutating func noteEpisode() {
    calmEpisodes += 1
    guard calmEpisodes == Self.calmLimit else { return }
    calmEpisodes = 0
    packets = Self.minimumPackets + (packets - Self.minimumPackets) / 2
    eighths = Self.minimumEighths + (eighths - Self.minimumEighths) / 2
  }
}
