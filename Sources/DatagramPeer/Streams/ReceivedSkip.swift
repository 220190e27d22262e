/// Messages that the sender gave up, as a part of their stream.
struct ReceivedSkip: Equatable {
  /// Where they would have been.
  var range: Range<UInt64>
  /// Their numbers, counted over all messages of the stream.
  var missing: Range<UInt64>

  /// Takes up `next`, which does not start before this one, where both overlap or where it goes
  /// on without a break in place and number; returns whether it does.
  mutating func extend(with next: ReceivedSkip) -> Bool {
    guard
      next.range.lowerBound < range.upperBound
        || (next.range.lowerBound == range.upperBound
          && next.missing.lowerBound == missing.upperBound)
    else { return false }
    if next.range.upperBound > range.upperBound {
      range = range.lowerBound..<next.range.upperBound
      missing =
        missing.lowerBound..<max(missing.upperBound, next.missing.upperBound)
    }
    return true
  }
}
