import Primitives

/// Which packet numbers have arrived: refuses what came before, and says what to acknowledge.
struct ReceivedPackets {
  /// Descending and not touching each other.
  private(set) var ranges: [ClosedRange<UInt64>] = []
  /// Numbers below this are no longer told apart and count as seen.
  private var floor: UInt64 = 0
  private var largestArrivedAt = Instant.zero
  /// Whether something arrived that has to be acknowledged.
  private(set) var owesAcknowledgement = false

  var largest: UInt64? { ranges.first?.upperBound }

  func contains(_ number: UInt64) -> Bool {
    if number < floor { return true }
    for range in ranges {
      if number > range.upperBound { return false }
      if number >= range.lowerBound { return true }
    }
    return false
  }

  /// Notes a packet that was accepted and not seen before. Returns whether it came behind one with
  /// a larger number.
  @discardableResult
  mutating func insert(_ number: UInt64, isAckEliciting: Bool, at now: Instant) -> Bool {
    precondition(!contains(number), "a packet is noted once")
    let isReordered = largest.map { number < $0 } ?? false
    if !isReordered { largestArrivedAt = now }
    if isAckEliciting { owesAcknowledgement = true }
    let index = ranges.firstIndex { $0.lowerBound < number } ?? ranges.count
    let touchesLower = index < ranges.count && ranges[index].upperBound + 1 == number
    let touchesUpper = index > 0 && ranges[index - 1].lowerBound == number + 1
    switch (touchesUpper, touchesLower) {
    case (true, true):
      ranges[index - 1] = ranges[index].lowerBound...ranges[index - 1].upperBound
      ranges.remove(at: index)
    case (true, false): ranges[index - 1] = number...ranges[index - 1].upperBound
    case (false, true): ranges[index] = ranges[index].lowerBound...number
    case (false, false): ranges.insert(number...number, at: index)
    }
    if ranges.count > Acknowledgement.maximumRangeCount, let lowest = ranges.popLast() {
      // Forgetting is safe: a packet below is refused, and what it carried is sent again.
      floor = max(floor, lowest.upperBound + 1)
    }
    return isReordered
  }

  /// Writes an acknowledgement of all that is known, if one is owed and there is room.
  mutating func writeAcknowledgement(into output: inout OutputSpan<UInt8>, at now: Instant) {
    guard owesAcknowledgement,
      Acknowledgement.emit(ranges: ranges, delay: now - largestArrivedAt, into: &output)
    else { return }
    owesAcknowledgement = false
  }
}
