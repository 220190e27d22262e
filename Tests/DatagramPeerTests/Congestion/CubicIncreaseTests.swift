import Primitives
import Testing

@testable import DatagramPeer

/// The curve of RFC 9438 by hand, in segments of 1,000 bytes: a loss at 100 segments leaves 70, so
/// K = cbrt(30 / 0.4) = 4.217163 s and W(t) = 0.4 (t - K)^3 + 100.
struct CubicIncreaseTests {
  private static let segment = 1_000

  /// The window at `times` seconds after the start, where at each a full window is acknowledged.
  private func windows(
    _ increase: inout CubicIncrease, from window: Int, at times: [Double],
    smoothed: Interval = .zero
  ) -> [Int] {
    var window = increase.grow(
      window, by: 0, datagramSize: Self.segment, newestSentAt: .zero, smoothed: .zero, at: .zero)
    return times.map { time in
      window = increase.grow(
        window, by: window, datagramSize: Self.segment, newestSentAt: .zero, smoothed: smoothed,
        at: .zero + .nanoseconds(Int64(time * 1e9)))
      return window
    }
  }

  @Test("Concave up to the plateau, convex behind it")
  func curve() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    let found = windows(&increase, from: 70_000, at: [1, 2, 4.217163327, 6, 8])
    #expect(abs(increase.rise - 4.217163) < 0.000001)
    let expected = [86_680, 95_640, 100_000, 102_267, 121_652]
    let isClose = zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }
    #expect(isClose, "\(found)")
  }

  @Test("The window aims at where the curve will be a round trip later")
  func ahead() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    let found = windows(&increase, from: 70_000, at: [1], smoothed: .seconds(1))
    #expect(abs(found[0] - 95_640) <= 1)
  }

  @Test("Never more than half a window more in a round trip")
  func bound() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    #expect(windows(&increase, from: 70_000, at: [30]) == [105_000])
  }

  @Test("Part of a window acknowledged goes part of the way")
  func share() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    var window = 70_000
    for (time, bytes) in [(0, 0), (1, 7_000)] as [(Int64, Int)] {
      window = increase.grow(
        window, by: bytes, datagramSize: Self.segment, newestSentAt: .zero, smoothed: .zero,
        at: .zero + .seconds(time))
    }
    // A tenth of the way from 70,000 to 86,680.
    #expect(abs(window - 71_668) <= 1)
  }

  /// With a round trip of a millisecond the curve is flat, and what Reno would have counts:
  /// 3 x 0.3 / 1.7 = 0.529 segments a round trip from 7, and a whole one from 10 on.
  @Test("In the Reno-friendly region the window grows by alpha, later by one")
  func friendly() {
    var increase = CubicIncrease()
    increase.reduce(from: 10_000)
    let found = windows(&increase, from: 7_000, at: (1...8).map { Double($0) / 1_000 })
    // The sixth round trip passes 10.
    let expected = [7_529, 8_058, 8_588, 9_117, 9_647, 10_176, 11_176, 12_176]
    let isClose = zip(found, expected).allSatisfy { abs($0 - $1) <= 2 }
    #expect(isClose, "\(found)")
  }

  @Test("A second loss below the plateau makes room for others")
  func fastConvergence() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    #expect(increase.plateau == 100_000)
    increase.reduce(from: 90_000)
    #expect(increase.plateau == 76_500)
    increase.reduce(from: 80_000)
    #expect(increase.plateau == 80_000)
  }

  @Test("After slow start the curve begins with its flat part")
  func afterSlowStart() {
    var increase = CubicIncrease()
    increase.leaveSlowStart(at: 100_000)
    let found = windows(&increase, from: 100_000, at: [1, 3])
    #expect(increase.rise == 0)
    // 0.4 t^3; after one second Reno would have a segment more.
    #expect(abs(found[0] - 101_000) <= 1)
    #expect(abs(found[1] - 110_800) <= 1)
  }

  @Test("Time in which the application limits sending does not count")
  func pause() {
    var increase = CubicIncrease()
    increase.reduce(from: 100_000)
    func grow(_ window: Int, sentAt: Int64, at: Int64) -> Int {
      increase.grow(
        window, by: window, datagramSize: Self.segment, newestSentAt: .zero + .milliseconds(sentAt),
        smoothed: .zero, at: .zero + .milliseconds(at))
    }
    let first = grow(70_000, sentAt: 0, at: 0)
    let second = grow(first, sentAt: 900, at: 1_000)
    // Of that second only the round trip of 100 ms counts: what was acknowledged is newer.
    #expect(increase.elapsed == .milliseconds(100))
    // Acknowledgements that the window did not limit, up to an hour later.
    increase.pause(at: .zero + .milliseconds(2_000))
    increase.pause(at: .zero + .seconds(3_600))
    let third = grow(second, sentAt: 3_600_000, at: 3_600_050)
    #expect(increase.elapsed == .milliseconds(150))
    // A new curve begins with its first acknowledgement.
    increase.reduce(from: third)
    _ = grow(third, sentAt: 3_600_050, at: 3_600_100)
    #expect(increase.elapsed == .zero)
  }
}
