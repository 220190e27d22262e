import Primitives
import Testing

struct IntervalTests {
  @Test func countsInUnits() {
    #expect(Interval.nanoseconds(7).nanoseconds == 7)
    #expect(Interval.microseconds(7).nanoseconds == 7_000)
    #expect(Interval.milliseconds(-7).nanoseconds == -7_000_000)
    #expect(Interval.seconds(7).nanoseconds == 7_000_000_000)
  }

  @Test(arguments: limits)
  func unitsSaturate(count: Int64) {
    let wide = Int128(count)
    #expect(Interval.microseconds(count).nanoseconds == Int64(clamping: wide * 1_000))
    #expect(Interval.milliseconds(count).nanoseconds == Int64(clamping: wide * 1_000_000))
    #expect(Interval.seconds(count).nanoseconds == Int64(clamping: wide * 1_000_000_000))
  }

  @Test(arguments: limits, limits)
  func arithmeticSaturates(left: Int64, right: Int64) {
    let (a, b) = (Interval(nanoseconds: left), Interval(nanoseconds: right))
    let (wideLeft, wideRight) = (Int128(left), Int128(right))
    #expect((a + b).nanoseconds == Int64(clamping: wideLeft + wideRight))
    #expect((a - b).nanoseconds == Int64(clamping: wideLeft - wideRight))
    #expect((a * right).nanoseconds == Int64(clamping: wideLeft * wideRight))
    if right != 0 {
      #expect((a / right).nanoseconds == Int64(clamping: wideLeft / wideRight))
    }
  }

  @Test(arguments: [(7, 3), (-7, -3)] as [(Int64, Int64)])
  func dividesTowardsZero(nanoseconds: Int64, half: Int64) {
    #expect(Interval(nanoseconds: nanoseconds) / 2 == Interval(nanoseconds: half))
  }

  @Test(
    arguments: [
      (.seconds(2), 2_000_000_000),
      (.milliseconds(-1_500), -1_500_000_000),
      (.nanoseconds(1), 1),
      (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
      (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), -1),
      (.seconds(9_223_372_036) + .nanoseconds(854_775_807), .max),
      (.seconds(9_223_372_036) + .nanoseconds(854_775_808), .max),
      (.seconds(-9_223_372_036) - .nanoseconds(854_775_808), .min),
      (.seconds(Int64.max), .max),
      (.seconds(Int64.min), .min),
      (.seconds(Int64.max) * 2, .max),
      (.seconds(Int64.min) * 2, .min),
    ] as [(Duration, Int64)])
  func comesFromADuration(duration: Duration, nanoseconds: Int64) {
    #expect(Interval(duration).nanoseconds == nanoseconds)
  }

  @Test func isReadInMilliseconds() {
    #expect(Interval.microseconds(1_500).milliseconds == 1.5)
  }
}
