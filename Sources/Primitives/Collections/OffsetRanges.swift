/// A set of offsets as ranges: ascending, disjoint, and never touching each other.
///
/// Made for few ranges, mostly added at the end and taken away at the front. Every operation costs
/// at most a binary search and the moving of the ranges behind; how many ranges there may be is for
/// the owner to bound.
public struct OffsetRanges: Sendable, Equatable {
  public private(set) var ranges: [Range<UInt64>] = []

  public init() {}

  public var isEmpty: Bool { ranges.isEmpty }
  /// How many ranges there are.
  public var count: Int { ranges.count }
  public var first: Range<UInt64>? { ranges.first }

  public mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    guard let last = ranges.last, range.lowerBound <= last.upperBound else {
      ranges.append(range)
      return
    }
    if range.lowerBound >= last.lowerBound {
      let upper = max(last.upperBound, range.upperBound)
      ranges[ranges.count - 1] = last.lowerBound..<upper
      return
    }
    // All that overlaps or touches becomes one.
    let from = firstIndex(endingAtOrAbove: range.lowerBound)
    var (to, lower, upper) = (from, range.lowerBound, range.upperBound)
    while to < ranges.count, ranges[to].lowerBound <= upper {
      lower = min(lower, ranges[to].lowerBound)
      upper = max(upper, ranges[to].upperBound)
      to += 1
    }
    replace(from..<to, with: lower..<upper)
  }

  public mutating func remove(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    let from = firstIndex(endingAtOrAbove: range.lowerBound + 1)
    guard from < ranges.count, ranges[from].lowerBound < range.upperBound else { return }
    var to = from
    while to < ranges.count, ranges[to].lowerBound < range.upperBound { to += 1 }
    let before = ranges[from].lowerBound..<max(ranges[from].lowerBound, range.lowerBound)
    let upper = ranges[to - 1].upperBound
    let behind = min(upper, range.upperBound)..<upper
    switch (before.isEmpty, behind.isEmpty) {
    case (true, true): ranges.removeSubrange(from..<to)
    case (false, true): replace(from..<to, with: before)
    case (true, false): replace(from..<to, with: behind)
    case (false, false):
      replace(from..<to, with: before)
      ranges.insert(behind, at: from + 1)
    }
  }

  public mutating func removeAll(below offset: UInt64) {
    guard let first = ranges.first, first.lowerBound < offset else { return }
    let index = firstIndex(endingAtOrAbove: offset + 1)
    ranges.removeSubrange(0..<index)
    if let first = ranges.first, first.lowerBound < offset {
      ranges[0] = offset..<first.upperBound
    }
  }

  /// Removes everything; the memory goes back.
  public mutating func removeAll() {
    ranges = []
  }

  public func contains(_ offset: UInt64) -> Bool {
    let index = firstIndex(endingAtOrAbove: offset + 1)
    return index < ranges.count && ranges[index].lowerBound <= offset
  }

  /// Whether every offset of `range` is in here; so it is of an empty one.
  public func containsAll(_ range: Range<UInt64>) -> Bool {
    firstGap(in: range) == nil
  }

  /// The first part of `range` that is not in here.
  public func firstGap(in range: Range<UInt64>) -> Range<UInt64>? {
    guard !range.isEmpty else { return nil }
    let index = firstIndex(endingAtOrAbove: range.lowerBound + 1)
    guard index < ranges.count, ranges[index].lowerBound < range.upperBound else { return range }
    let found = ranges[index]
    if found.lowerBound > range.lowerBound { return range.lowerBound..<found.lowerBound }
    guard found.upperBound < range.upperBound else { return nil }
    // The ranges never touch: there is a gap behind this one.
    let next = index + 1 < ranges.count ? ranges[index + 1].lowerBound : range.upperBound
    return found.upperBound..<min(next, range.upperBound)
  }

  /// The first part of `range` that is in here.
  public func firstOverlap(with range: Range<UInt64>) -> Range<UInt64>? {
    guard !range.isEmpty else { return nil }
    let index = firstIndex(endingAtOrAbove: range.lowerBound + 1)
    guard index < ranges.count, ranges[index].lowerBound < range.upperBound else { return nil }
    return ranges[index].clamped(to: range)
  }

  /// The index of the first range whose upper bound is `offset` or above.
  private func firstIndex(endingAtOrAbove offset: UInt64) -> Int {
    guard let last = ranges.last, last.upperBound >= offset else { return ranges.count }
    var (low, high) = (0, ranges.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound >= offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func replace(_ indices: Range<Int>, with range: Range<UInt64>) {
    guard let first = indices.first else {
      ranges.insert(range, at: indices.lowerBound)
      return
    }
    ranges[first] = range
    if indices.count > 1 { ranges.removeSubrange((first + 1)..<indices.upperBound) }
  }
}
