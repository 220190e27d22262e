import Primitives
import Testing

@testable import DatagramPeer

struct RoundTripEstimatorTests {
  private func us(_ count: Int64) -> Interval { .microseconds(count) }

  @Test("Before the first measurement the assumed time holds")
  func assumed() {
    let estimator = RoundTripEstimator(assumed: .milliseconds(100))
    #expect(estimator.smoothed == .milliseconds(100))
    #expect(estimator.variation == .milliseconds(50))
    #expect(estimator.probeTimeout == .milliseconds(300))
    #expect(estimator.lossDelay == us(112_500))
    #expect(estimator.figures == nil)
  }

  /// RFC 9002, section 5.3, by hand, in microseconds: 40 ms; then 48 ms; then 48 ms of which the
  /// peer waited 4; then 30 ms, below the minimum.
  @Test("The formulas of RFC 9002, sections 5.2 and 5.3")
  func formulas() {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    typealias Step = (
      sample: Int64, delay: Int64, minimum: Int64, smoothed: Int64, variation: Int64
    )
    let steps: [Step] = [
      (40_000, 0, 40_000, 40_000, 20_000),
      // |40 - 48| = 8: (3 x 20 + 8) / 4; (7 x 40 + 48) / 8.
      (48_000, 0, 40_000, 41_000, 17_000),
      // 48 - 4 = 44: (3 x 17 + 3) / 4; (7 x 41 + 44) / 8.
      (48_000, 4_000, 40_000, 41_375, 13_500),
      // (3 x 13.5 + 11.375) / 4; (7 x 41.375 + 30) / 8, in nanoseconds below.
      (30_000, 0, 30_000, 39_953, 12_968),
    ]
    for step in steps {
      estimator.update(us(step.sample), acknowledgementDelay: us(step.delay))
      #expect(estimator.latest == us(step.sample))
      #expect(estimator.minimum == us(step.minimum))
      #expect(estimator.smoothed.nanoseconds / 1_000 == step.smoothed)
      #expect(estimator.variation.nanoseconds / 1_000 == step.variation)
    }
    #expect(estimator.smoothed == .nanoseconds(39_953_125))
    #expect(estimator.variation == .nanoseconds(12_968_750))
    #expect(estimator.probeTimeout == .nanoseconds(39_953_125 + 4 * 12_968_750))
    #expect(estimator.lossDelay == .nanoseconds(39_953_125 * 9 / 8))
    #expect(estimator.figures?.smoothed == estimator.smoothed)
  }

  @Test("The delay of the first measurement is not believed")
  func firstDelay() {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    estimator.update(us(40_000), acknowledgementDelay: us(30_000))
    #expect(estimator.smoothed == us(40_000))
  }

  @Test(
    "A delay is taken off only where not less than the minimum remains",
    arguments: [(8_000, 40_000), (8_001, 48_000), (10_000_000, 48_000), (0, 48_000)])
  func delayBound(delay: Int64, adjusted: Int64) {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    estimator.update(us(40_000), acknowledgementDelay: .zero)
    estimator.update(us(48_000), acknowledgementDelay: us(delay))
    #expect(estimator.smoothed == us((7 * 40_000 + adjusted) / 8))
    #expect(estimator.latest == us(48_000))
  }

  @Test("On a fast link timers keep to what they can tell")
  func granularity() {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    for _ in 0..<200 { estimator.update(us(50), acknowledgementDelay: .zero) }
    #expect(estimator.variation < us(1))
    #expect(estimator.probeTimeout == us(1_050))
    #expect(estimator.lossDelay == us(250))
    #expect(estimator.acknowledgementDelay == .nanoseconds(6_250))
    #expect(estimator.smoothed == us(50))
  }

  @Test("The loss delay follows the latest measurement where that is larger")
  func latest() {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    estimator.update(us(40_000), acknowledgementDelay: .zero)
    estimator.update(us(80_000), acknowledgementDelay: .zero)
    #expect(estimator.lossDelay == us(90_000))
  }

  @Test("Absurd measurements do no harm", arguments: [Int64.min, -1, 0, 1, .max])
  func absurd(nanoseconds: Int64) {
    var estimator = RoundTripEstimator(assumed: .milliseconds(100))
    for delay in [Int64.max, 0, .min] {
      estimator.update(
        Interval(nanoseconds: nanoseconds),
        acknowledgementDelay: Interval(nanoseconds: max(0, delay)))
      #expect(estimator.latest > .zero)
      #expect(estimator.minimum > .zero)
      #expect(estimator.probeTimeout >= RoundTripEstimator.granularity)
    }
  }
}
