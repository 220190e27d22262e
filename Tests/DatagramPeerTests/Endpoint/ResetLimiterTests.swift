import Primitives
import Testing

@testable import DatagramPeer

struct ResetLimiterTests {
  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// How many of `tries` at one instant get an answer.
  private func taken(_ limiter: inout ResetLimiter, _ tries: Int, at now: Instant) -> Int {
    (0..<tries).count { _ in limiter.take(at: now) }
  }

  @Test("A second's worth may go at once, and then so many a second")
  func rate() {
    var limiter = ResetLimiter(perSecond: 50)
    #expect(taken(&limiter, 1_000, at: at(0)) == 50)
    let second = (1...1_000).map { taken(&limiter, 10, at: at($0)) }.reduce(0, +)
    #expect(second == 50)
  }

  @Test("A long pause earns one second's worth and no more")
  func pause() {
    var limiter = ResetLimiter(perSecond: 50)
    _ = taken(&limiter, 50, at: at(0))
    #expect(taken(&limiter, 1_000, at: at(3_600_000)) == 50)
  }

  @Test("However often it is asked, over any minute it gives a minute's worth and one burst")
  func bound() {
    var limiter = ResetLimiter(perSecond: 50)
    var generator = SplitMix64(seed: 1)
    var now: Int64 = 0
    var total = 0
    while now < 60_000_000_000 {
      total += taken(&limiter, 3, at: Instant(nanoseconds: now))
      now += Int64(generator.next() % 3_000_000)
    }
    #expect(total <= 50 * 61)
    #expect(total >= 50 * 60)
  }

  @Test("None a second is none at all")
  func none() {
    var limiter = ResetLimiter(perSecond: 0)
    #expect(!limiter.take(at: at(0)) && !limiter.take(at: at(100_000)))
  }

  @Test("A clock that stands still or goes back earns nothing")
  func clock() {
    var limiter = ResetLimiter(perSecond: 10)
    #expect(taken(&limiter, 20, at: at(1_000)) == 10)
    #expect(taken(&limiter, 20, at: at(0)) == 0)
    #expect(taken(&limiter, 20, at: at(1_000)) == 0)
  }
}
