import Primitives
import Testing

struct InstantTests {
  @Test func movesByIntervals() {
    let instant = Instant(nanoseconds: 1_000)
    #expect(instant + .nanoseconds(5) == Instant(nanoseconds: 1_005))
    #expect(instant - .nanoseconds(5) == Instant(nanoseconds: 995))
    #expect(instant + .seconds(-1) == Instant(nanoseconds: -999_999_000))
  }

  @Test func differsByAnInterval() {
    let (earlier, later) = (Instant(nanoseconds: 10), Instant(nanoseconds: 25))
    #expect(later - earlier == .nanoseconds(15))
    #expect(earlier - later == .nanoseconds(-15))
  }

  @Test func ordersByTime() {
    #expect(Instant(nanoseconds: -1) < .zero)
    #expect(Instant(nanoseconds: .min) < Instant(nanoseconds: .max))
  }

  /// Against arithmetic that is wide enough, over all pairs of limits and their neighbours.
  @Test(arguments: limits, limits)
  func saturatesInsteadOfOverflowing(left: Int64, right: Int64) {
    let (instant, interval) = (Instant(nanoseconds: left), Interval(nanoseconds: right))
    let (wideLeft, wideRight) = (Int128(left), Int128(right))
    #expect((instant + interval).nanoseconds == Int64(clamping: wideLeft + wideRight))
    #expect((instant - interval).nanoseconds == Int64(clamping: wideLeft - wideRight))
    #expect(
      (instant - Instant(nanoseconds: right)).nanoseconds == Int64(clamping: wideLeft - wideRight))
  }

  @Test(
    arguments: [
      (nil, nil, nil),
      (3, nil, 3),
      (nil, 4, 4),
      (3, 4, 3),
      (4, 3, 3),
    ] as [(Int64?, Int64?, Int64?)])
  func earlierOfTwoDeadlinesTakesNoneForNever(left: Int64?, right: Int64?, earlier: Int64?) {
    let instants = [left, right, earlier].map { $0.map { Instant(nanoseconds: $0) } }
    #expect(Instant.earlier(instants[0], instants[1]) == instants[2])
  }
}

/// The limits of 64 bits, zero, and what is next to them.
let limits: [Int64] = [
  .min, .min + 1, .min / 2, -1_000_000_000, -2, -1, 0, 1, 2, 1_000_000_000, .max / 2, .max - 1,
  .max,
]
