import Foundation
import Primitives
import Testing

struct NaturalLogarithmTests {
  @Test func isWithinAFewUnitsInTheLastPlace() {
    var generator = SplitMix64(seed: 4)
    var worst = 0.0
    for _ in 0..<50_000 {
      let value = Double(
        sign: .plus, exponent: Int.random(in: -1_070...1_023, using: &generator),
        significand: 1 + generator.unitInterval())
      guard value != 1 else { continue }
      let wanted = log(value)
      worst = max(worst, abs(naturalLogarithm(value) - wanted) / abs(wanted))
    }
    #expect(worst < 1e-15, "\(worst)")
  }

  @Test func isWithinAFewUnitsAroundOne() {
    var worst = 0.0
    for step in -2_000...2_000 where step != 0 {
      let value = 1 + Double(step) * 1e-4
      let wanted = log(value)
      worst = max(worst, abs(naturalLogarithm(value) - wanted) / abs(wanted))
    }
    #expect(worst < 1e-15, "\(worst)")
  }

  @Test func givesTheSameBitsOnEveryMachine() {
    #expect(naturalLogarithm(1) == 0)
    #expect(naturalLogarithm(2) == 0x1.62e42fefa39efp-1)
    #expect(naturalLogarithm(0x1p-53) == -0x1.25e4f7b2737fap+5)
  }

  @Test func hasItsLimits() {
    #expect(naturalLogarithm(0) == -.infinity && naturalLogarithm(.infinity) == .infinity)
    #expect(naturalLogarithm(-1).isNaN && naturalLogarithm(.nan).isNaN)
  }
}
