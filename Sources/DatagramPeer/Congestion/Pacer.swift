import Primitives

/// Spreads packets over the round trip (RFC 9002, section 7.7): a bucket of bytes that fills at the
/// rate of the moment and never holds more than a burst.
///
/// Driving it: at the start of each pass of sending, `refill(at:rate:)`, then packets while
/// `allowance` is above zero, and `didSend` for each that counts as in flight, at latest at the end
/// of the pass. Probes are sent without asking, but told. Where something is left to send that the
/// congestion window allows, `nextSend` is a deadline; else it is ignored.
///
/// Timers are coarse, so a burst is at least what the rate gives in a millisecond, and a pause
/// lasts until a quarter of that may be sent at once: no deadline lies nearer than that, and a wake
/// that comes three quarters of a millisecond late costs nothing. Where a round trip takes less
/// than a millisecond a whole window is a burst. High rates may send what one segmentation call
/// takes, 64 KiB, as long as it is no more than two milliseconds' worth.
///
/// Credit is counted in billionths of bytes, so what the rate gives in a nanosecond is a whole
/// number, and nothing is ever rounded: over any time the rate is kept to the byte.
struct Pacer {
  private var datagramSize: Int
  /// Bytes per second.
  private var rate = CongestionLimits.maximumRate
  private var isUnlimited = false
  /// Billionths of bytes that may be sent; below zero after probes.
  private var credit: Int64
  private var updatedAt: Instant?
  /// The bucket ran empty and has to fill up to `quantum` first.
  private var isPausing = false

  private static let unit: Int64 = 1_000_000_000
  private static let segmentationLimit = 65_536

  init(datagramSize: Int) {
    precondition(CongestionLimits.isDatagramSize(datagramSize), "1 to 65,535 bytes")
    self.datagramSize = datagramSize
    credit = Int64(10 * datagramSize) * Self.unit
  }

  /// Bytes that may be sent now, `Int.max` without pacing. The last packet may go beyond it, and
  /// what it owes is waited for, so that packets of any size keep the rate.
  var allowance: Int {
    guard !isUnlimited else { return .max }
    return isPausing ? 0 : Int(max(0, credit) / Self.unit)
  }

  /// When there is an allowance again; `nil` where there is one.
  var nextSend: Instant? {
    guard !isUnlimited, isPausing, let updatedAt else { return nil }
    guard credit < quantum else { return updatedAt }
    let missing = quantum - credit
    // Rounded up, or the deadline would come a nanosecond before there is enough.
    return updatedAt + Interval(nanoseconds: (missing - 1) / Int64(rate) + 1)
  }

  /// Adds what has come in since the last call, at a rate of `rate` bytes per second, which
  /// `CongestionController.pacingRate` gives; `Int.max` stands for no pacing.
  mutating func refill(at now: Instant, rate: Int) {
    isUnlimited = rate == .max
    self.rate = min(max(rate, 1), CongestionLimits.maximumRate)
    let capacity = Int64(burst) * Self.unit
    let elapsed = updatedAt.map { max(0, (now - $0).nanoseconds) } ?? 0
    // A clock that went back fills nothing twice.
    updatedAt = updatedAt.map { max($0, now) } ?? now
    let (gain, isHuge) = elapsed.multipliedReportingOverflow(by: Int64(self.rate))
    // What overflows fills any bucket; and a debt that was small at the rate before is not let
    // grow to hours by a lower one.
    credit = isHuge || gain >= capacity - credit ? capacity : max(credit + gain, -capacity)
    if isPausing, credit >= quantum { isPausing = false }
  }

  /// Takes off what was sent.
  mutating func didSend(_ bytes: Int) {
    guard !isUnlimited else { return }
    // So many probes that they would owe more than a burst are let off.
    let capacity = Int64(burst)
    let debit = min(Int64(max(0, bytes)), 2 * capacity)
    credit = max(credit - debit * Self.unit, -capacity * Self.unit)
    if credit < Self.unit { isPausing = true }
  }

  /// Path MTU discovery found another size.
  mutating func datagramSizeChanged(to size: Int) {
    precondition(CongestionLimits.isDatagramSize(size), "1 to 65,535 bytes")
    datagramSize = size
  }

  /// The bytes that may be sent at once after a pause.
  var burst: Int {
    let segments = min(Self.segmentationLimit, rate / 500)
    return max(10 * datagramSize, rate / 1_000, segments)
  }

  /// What has to be there, in billionths of bytes, before a pause ends.
  private var quantum: Int64 {
    Int64((rate + 3_999) / 4_000) * Self.unit
  }
}
