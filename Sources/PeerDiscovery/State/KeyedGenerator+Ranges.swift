import Primitives

extension KeyedGenerator {
  /// A number from 0 up to but not including `bound`, which is positive. The bias of less than
  /// `bound` in 2^64 does not matter here; that a secret gives the same numbers for ever does.
  mutating func number(below bound: Int) -> Int {
    precondition(bound > 0, "there is a number below the bound")
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A length of time within `range`, both ends included; none of it is negative.
  mutating func interval(in range: ClosedRange<Interval>) -> Interval {
    let width = (range.upperBound - range.lowerBound).nanoseconds
    guard width > 0, width < .max else { return range.lowerBound }
    return range.lowerBound + .nanoseconds(Int64(number(below: Int(width) + 1)))
  }
}
