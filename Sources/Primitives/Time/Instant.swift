/// A point in time: nanoseconds from an arbitrary zero that the owner of a machine chose.
///
/// Pure code never reads a clock; it is handed instants. Only differences mean anything.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the arbitrary zero.
  public var nanoseconds: Int64

  /// Creates an instant from nanoseconds since the arbitrary zero.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The arbitrary zero itself, where virtual time begins.
  public static let zero = Instant(nanoseconds: 0)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The instant `interval` later; saturates instead of overflowing.
  public static func + (instant: Instant, interval: Interval) -> Instant {
    Instant(nanoseconds: saturatingSum(instant.nanoseconds, interval.nanoseconds))
  }

  /// The instant `interval` earlier; saturates instead of overflowing.
  public static func - (instant: Instant, interval: Interval) -> Instant {
    Instant(nanoseconds: saturatingDifference(instant.nanoseconds, interval.nanoseconds))
  }

  /// The time from `earlier` to `later`; negative where they are the other way round.
  public static func - (later: Instant, earlier: Instant) -> Interval {
    Interval(nanoseconds: saturatingDifference(later.nanoseconds, earlier.nanoseconds))
  }

  /// The earlier of two deadlines, where `nil` means never.
  public static func earlier(_ left: Instant?, _ right: Instant?) -> Instant? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
  }
}

/// Adds without overflow: a forged or absurd time must saturate, never trap.
func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  guard overflow else { return sum }
  return left > 0 ? .max : .min
}

/// Subtracts without overflow, as `saturatingSum` adds.
func saturatingDifference(_ left: Int64, _ right: Int64) -> Int64 {
  let (difference, overflow) = left.subtractingReportingOverflow(right)
  guard overflow else { return difference }
  return left > right ? .max : .min
}
