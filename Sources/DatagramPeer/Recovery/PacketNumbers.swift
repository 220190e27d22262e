import Primitives

/// Gives out packet numbers, and skips one now and then.
///
/// The distance between those that are skipped grows, since each costs the peer a range in its
/// acknowledgements until it may forget it.
struct PacketNumbers {
  private(set) var next: UInt64 = 0
  private var nextSkipped: UInt64 = 0
  /// The newest numbers that were skipped.
  private var skipped = InlineArray<4, UInt64>(repeating: .max)
  private var skippedCount = 0
  private var generator: SplitMix64

  private static let firstExponent = 7
  private static let lastExponent = 16

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    nextSkipped = distance
  }

  mutating func take() -> UInt64 {
    if next == nextSkipped {
      skipped[skippedCount & 3] = next
      skippedCount += 1
      next += 1
      nextSkipped = next + distance
    }
    defer { next += 1 }
    return next
  }

  /// Whether one of the newest skipped numbers is in the descending `ranges`.
  func wereSkipped(in ranges: [ClosedRange<UInt64>]) -> Bool {
    for index in 0..<min(skippedCount, skipped.count) {
      for range in ranges {
        if range.upperBound < skipped[index] { break }
        if range.lowerBound <= skipped[index] { return true }
      }
    }
    return false
  }

  private var distance: UInt64 {
    mutating get {
      let exponent = min(Self.firstExponent + skippedCount, Self.lastExponent)
      let width = UInt64(1) << UInt64(exponent)
      return width + generator.next() & (width - 1)
    }
  }
}
