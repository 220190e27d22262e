import Primitives

/// Which packets have arrived, as ranges from the largest downwards (RFC 9000, section 19.3).
struct Acknowledgement: Equatable {
  /// How long the largest number waited at the receiver before this was sent.
  var delay: Interval
  /// Descending and not touching each other; never empty.
  var ranges: [ClosedRange<UInt64>]

  /// The most ranges that are ever written or taken in.
  static let maximumRangeCount = 64
  /// The largest delay that is believed, in microseconds: longer ones are somebody's joke.
  private static let maximumDelay: UInt64 = 10_000_000

  var largest: UInt64 { ranges[0].upperBound }

  init(delay: Interval, ranges: [ClosedRange<UInt64>]) {
    precondition(!ranges.isEmpty, "an acknowledgement names at least one packet")
    self.delay = delay
    self.ranges = ranges
  }

  /// Reads what stands behind the frame's kind.
  ///
  /// The number of ranges is bounded and none may reach below zero, so that no frame makes its
  /// receiver count for long.
  init?(parsing packet: Span<UInt8>, at offset: inout Int) {
    guard let largest = packet.variableLength(at: &offset),
      let microseconds = packet.variableLength(at: &offset),
      let furtherRanges = packet.variableLength(at: &offset),
      furtherRanges < Self.maximumRangeCount,
      let firstLength = packet.variableLength(at: &offset), firstLength <= largest
    else { return nil }
    delay = .microseconds(Int64(min(microseconds, Self.maximumDelay)))
    ranges = [(largest - firstLength)...largest]
    var lowest = largest - firstLength
    for _ in 0..<furtherRanges {
      guard let gap = packet.variableLength(at: &offset),
        let length = packet.variableLength(at: &offset), gap + 2 <= lowest,
        length <= lowest - gap - 2
      else { return nil }
      let upper = lowest - gap - 2
      lowest = upper - length
      ranges.append(lowest...upper)
    }
  }

  /// Writes the frame with as many ranges, the largest first, as there is room for up to `end` of
  /// `output`, and at most `limit`. Returns whether at least the first had room.
  static func emit(
    ranges: [ClosedRange<UInt64>], limit: Int = maximumRangeCount, delay: Interval, upTo end: Int,
    into output: inout OutputSpan<UInt8>
  ) -> Bool {
    guard let first = ranges.first else { return false }
    let delay = UInt64(max(0, delay.nanoseconds / 1_000))
    // One byte is enough for the count, as it is below 64.
    let fixedSize =
      2 + variableLengthWidth(first.upperBound) + variableLengthWidth(delay)
      + variableLengthWidth(first.upperBound - first.lowerBound)
    guard fixedSize <= end - output.count else { return false }
    var room = end - output.count - fixedSize
    var count = 1
    while count < min(ranges.count, limit, maximumRangeCount) {
      let (gap, length) = step(from: ranges[count - 1], to: ranges[count])
      let size = variableLengthWidth(gap) + variableLengthWidth(length)
      guard size <= room else { break }
      room -= size
      count += 1
    }
    output.append(Frame.Kind.acknowledgement)
    output.append(variableLength: first.upperBound)
    output.append(variableLength: delay)
    output.append(variableLength: UInt64(count - 1))
    output.append(variableLength: first.upperBound - first.lowerBound)
    for index in 1..<max(1, count) {
      let (gap, length) = step(from: ranges[index - 1], to: ranges[index])
      output.append(variableLength: gap)
      output.append(variableLength: length)
    }
    return true
  }

  /// The gap and the length by which the wire tells the range `next` that follows `previous`.
  private static func step(
    from previous: ClosedRange<UInt64>, to next: ClosedRange<UInt64>
  ) -> (gap: UInt64, length: UInt64) {
    (previous.lowerBound - next.upperBound - 2, next.upperBound - next.lowerBound)
  }
}
