import Primitives

/// Draws what a plan is made of.
struct Draw {
  private var generator: SplitMix64

  /// - Parameter purpose: draws for one purpose do not move those for another.
  init(seed: UInt64, purpose: UInt64) {
    generator = SplitMix64(seed: mix64(seed &+ mix64(purpose)))
  }

  mutating func bits() -> UInt64 { generator.next() }

  mutating func chance(_ probability: Double) -> Bool { generator.unitInterval() < probability }

  mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// Uniform in its number of digits: small ones are as likely as large ones.
  mutating func logarithmic(_ range: ClosedRange<Int>) -> Int {
    // By bits and not by logarithms, which differ from one machine to another.
    let low = bitWidth(range.lowerBound)
    let width = integer(low...bitWidth(range.upperBound))
    let smallest = width == 0 ? 0 : 1 << (width - 1)
    return min(
      max(integer(smallest...max(smallest, 1 << width - 1)), range.lowerBound), range.upperBound)
  }

  mutating func probability(upTo limit: Double) -> Double { generator.unitInterval() * limit }

  mutating func microseconds(_ range: ClosedRange<Int>) -> Interval {
    .microseconds(Int64(logarithmic(range)))
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }

  private func bitWidth(_ value: Int) -> Int { Int.bitWidth - value.leadingZeroBitCount }
}
