import Primitives
import Testing

struct OffsetRangesTests {
  private func ranges(_ parts: Range<UInt64>...) -> OffsetRanges {
    var ranges = OffsetRanges()
    for part in parts { ranges.insert(part) }
    return ranges
  }

  @Test func joinsWhatOverlapsOrTouches() {
    #expect(ranges(0..<2, 4..<6, 2..<4).ranges == [0..<6])
    #expect(ranges(0..<2, 4..<6, 8..<9, 1..<8).ranges == [0..<9])
    #expect(ranges(4..<6, 0..<2).ranges == [0..<2, 4..<6])
    #expect(ranges(4..<6, 6..<6, 5..<9).ranges == [4..<9])
  }

  @Test func cutsOut() {
    var set = ranges(0..<10)
    set.remove(3..<5)
    #expect(set.ranges == [0..<3, 5..<10])
    set.remove(2..<6)
    #expect(set.ranges == [0..<2, 6..<10])
    set.remove(9..<20)
    set.remove(0..<1)
    #expect(set.ranges == [1..<2, 6..<9])
    set.remove(0..<20)
    #expect(set.isEmpty)
  }

  @Test func findsTheFirstGap() {
    let set = ranges(2..<4, 6..<8)
    #expect(set.firstGap(in: 0..<10) == 0..<2)
    #expect(set.firstGap(in: 2..<4) == nil)
    #expect(set.firstGap(in: 3..<10) == 4..<6)
    #expect(set.firstGap(in: 6..<10) == 8..<10)
    #expect(set.firstGap(in: 3..<5) == 4..<5)
    #expect(set.firstGap(in: 20..<30) == 20..<30)
    #expect(set.firstGap(in: 5..<5) == nil)
  }

  /// Against a flag for each offset.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func behavesAsFlags(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var set = OffsetRanges()
    var model = [Bool](repeating: false, count: 64)
    func part() -> Range<UInt64> {
      let lower = Int.random(in: 0..<64, using: &generator)
      return UInt64(lower)..<UInt64(Int.random(in: lower...min(64, lower + 12), using: &generator))
    }
    for step in 0..<200 {
      let range = part()
      switch Int.random(in: 0..<9, using: &generator) {
      case 0..<5:
        set.insert(range)
        for offset in range { model[Int(offset)] = true }
      case 8 where step % 16 == 0:
        set.removeAll(below: range.lowerBound)
        for offset in 0..<range.lowerBound { model[Int(offset)] = false }
      default:
        set.remove(range)
        for offset in range { model[Int(offset)] = false }
      }
      var isRight = (0..<64).allSatisfy { set.contains(UInt64($0)) == model[$0] }
      isRight =
        isRight
        && zip(set.ranges, set.ranges.dropFirst()).allSatisfy {
          $0.upperBound < $1.lowerBound
        }
      isRight = isRight && set.ranges.allSatisfy { !$0.isEmpty }
      let probe = part()
      isRight = isRight && set.containsAll(probe) == probe.allSatisfy { model[Int($0)] }
      isRight = isRight && set.firstGap(in: probe) == first(false, in: probe, of: model)
      isRight = isRight && set.firstOverlap(with: probe) == first(true, in: probe, of: model)
      #expect(isRight, "seed \(seed), step \(step)")
    }
  }

  /// The first part of `range` whose flags are all `flag`.
  private func first(_ flag: Bool, in range: Range<UInt64>, of model: [Bool]) -> Range<UInt64>? {
    guard let lower = range.first(where: { model[Int($0)] == flag }) else { return nil }
    let upper = (lower..<range.upperBound).first { model[Int($0)] != flag } ?? range.upperBound
    return lower..<upper
  }
}
