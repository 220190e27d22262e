/// Measured lengths of time, and what can be said of all of them together.
public struct Samples: Hashable, Sendable {
  /// Nanoseconds, in ascending order once `sort` was called and nothing was added since.
  public private(set) var elements: [UInt64] = []
  private var isSorted = true

  public init(_ elements: [UInt64] = []) {
    self.elements = elements
    isSorted = elements.count < 2
  }

  public var count: Int { elements.count }

  public mutating func reserve(_ count: Int) { elements.reserveCapacity(count) }

  public mutating func append(_ value: UInt64) {
    elements.append(value)
    isSorted = false
  }

  /// Adds all of another set: samples of several runs are pooled, not averaged.
  public mutating func append(contentsOf other: Samples) {
    elements += other.elements
    isSorted = false
  }

  public mutating func sort() {
    if !isSorted { elements.sort() }
    isSorted = true
  }

  /// The value below which `percent` of the samples lie, interpolated between the two nearest
  /// (rank `percent / 100 * (count - 1)`); `nil` where there is none.
  public mutating func percentile(_ percent: Double) -> Double? {
    sort()
    guard let last = elements.last else { return nil }
    let rank = percent / 100 * Double(elements.count - 1)
    let index = Int(rank)
    guard index + 1 < elements.count else { return Double(last) }
    let fraction = rank - Double(index)
    return Double(elements[index]) * (1 - fraction) + Double(elements[index + 1]) * fraction
  }

  /// The arithmetic mean; 0 where there is no sample.
  public var mean: Double {
    elements.isEmpty ? 0 : elements.reduce(0) { $0 + Double($1) } / Double(elements.count)
  }
}

/// The middle of some figures, the mean of the two middle ones where their number is even; `nil`
/// where there is none.
public func median(_ figures: [Double]) -> Double? {
  guard !figures.isEmpty else { return nil }
  let sorted = figures.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
