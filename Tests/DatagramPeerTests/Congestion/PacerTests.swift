import Primitives
import Testing

@testable import DatagramPeer

struct PacerTests {
  /// Sends packets of `size` as early as the pacer lets them go, and returns how many bytes went in
  /// `time` and the shortest pause.
  private func run(
    rate: Int, size: Int, for time: Interval, late: Interval = .zero
  ) -> (bytes: Int, shortest: Interval, burst: Int) {
    var pacer = Pacer(datagramSize: 1_200)
    var now = Instant.zero
    var bytes = 0
    var shortest = Interval(nanoseconds: .max)
    while now < .zero + time {
      pacer.refill(at: now, rate: rate)
      while pacer.allowance > 0 {
        pacer.didSend(size)
        bytes += size
      }
      guard let next = pacer.nextSend else { break }
      shortest = min(shortest, next - now)
      now = next + late
    }
    return (bytes, shortest, pacer.burst)
  }

  @Test(
    "Over a long run the rate is kept to the packet",
    arguments: [1, 999, 12_345, 1_000_003, 77_777_777], [50, 1_200])
  func exact(rate: Int, size: Int) {
    let seconds = min(10_000, 500_000 / rate + 1)
    let found = run(rate: rate, size: size, for: .seconds(Int64(seconds)))
    let expected = rate * seconds
    // It begins with a full bucket of ten datagrams, and ends within a quantum or a packet.
    let excess = found.bytes - expected
    #expect((-rate / 4_000 - size...12_000 + size).contains(excess), "\(excess)")
  }

  @Test(
    "No pause is shorter than 250 microseconds",
    arguments: [10_000, 1_000_000, 100_000_000, 10_000_000_000])
  func pauses(rate: Int) {
    let found = run(rate: rate, size: 1_200, for: .milliseconds(10))
    #expect(found.shortest >= .microseconds(250))
  }

  @Test(
    "Timers that are late by 100 microseconds cost nothing", arguments: [1_000_000, 1_000_000_000])
  func lateTimers(rate: Int) {
    let found = run(rate: rate, size: 1_200, for: .milliseconds(100), late: .microseconds(100))
    #expect(found.bytes >= rate / 10 - rate / 1_000 - 1_200)
  }

  @Test("A burst is ten datagrams, a segmentation call, or a millisecond")
  func bursts() {
    func burst(_ rate: Int) -> Int {
      var pacer = Pacer(datagramSize: 1_200)
      pacer.refill(at: .zero, rate: rate)
      return pacer.burst
    }
    #expect(burst(1) == 12_000)
    #expect(burst(6_000_000) == 12_000)
    #expect(burst(10_000_000) == 20_000)
    #expect(burst(32_768_000) == 65_536)
    #expect(burst(65_536_000) == 65_536)
    #expect(burst(1_000_000_000) == 1_000_000)
  }

  @Test("A pause of an hour allows one burst, not more")
  func idle() {
    var pacer = Pacer(datagramSize: 1_200)
    pacer.refill(at: .zero, rate: 100_000)
    pacer.didSend(12_000)
    #expect(pacer.allowance == 0)
    pacer.refill(at: .zero + .seconds(3_600), rate: 100_000)
    #expect(pacer.allowance == 12_000)
    #expect(pacer.nextSend == nil)
  }

  @Test("The deadline is when there is an allowance, and not a nanosecond earlier")
  func deadline() throws {
    var pacer = Pacer(datagramSize: 1_200)
    pacer.refill(at: .zero, rate: 333_333)
    pacer.didSend(12_000 + 700)
    let next = try #require(pacer.nextSend)
    // 700 bytes owed and a quantum of 84.
    #expect(next == .zero + .nanoseconds(2_352_003))
    pacer.refill(at: next - .nanoseconds(1), rate: 333_333)
    #expect(pacer.allowance == 0)
    pacer.refill(at: next, rate: 333_333)
    #expect(pacer.allowance == 84)
  }

  @Test("Looking often changes nothing")
  func lookingOften() {
    var often = Pacer(datagramSize: 1_200)
    var once = often
    often.refill(at: .zero, rate: 123_457)
    once.refill(at: .zero, rate: 123_457)
    often.didSend(12_000)
    once.didSend(12_000)
    for step in 1...10_000 {
      often.refill(at: .zero + .nanoseconds(Int64(step) * 7), rate: 123_457)
    }
    once.refill(at: .zero + .nanoseconds(70_000), rate: 123_457)
    #expect(often.nextSend == once.nextSend)
    #expect(often.allowance == once.allowance)
  }

  @Test("Where a round trip takes less than a millisecond a window is a burst")
  func shortRoundTrip() {
    let controller = CongestionController(.cubic, datagramSize: 1_200)
    for microseconds in [1, 50, 100, 1_000] as [Int64] {
      var roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
      roundTrip.update(.microseconds(microseconds), acknowledgementDelay: .zero)
      var pacer = Pacer(datagramSize: 1_200)
      pacer.refill(at: .zero, rate: controller.pacingRate(roundTrip))
      #expect(pacer.burst >= controller.window)
    }
  }

  @Test("Without pacing everything may go")
  func unlimited() {
    var pacer = Pacer(datagramSize: 1_200)
    pacer.refill(at: .zero, rate: .max)
    pacer.didSend(1 << 40)
    #expect(pacer.allowance == .max)
    #expect(pacer.nextSend == nil)
    pacer.refill(at: .zero, rate: 100_000)
    #expect(pacer.allowance == 12_000)
  }

  @Test("Absurd numbers do no harm")
  func absurd() {
    let numbers: [Int] = [.min, -1, 0, 1, 1_200, 65_536, 1 << 40, .max - 1, .max]
    let instants: [Int64] = [.min, .min + 1, -1, 0, 1, 1 << 40, .max - 1, .max]
    var isPlausible = true
    for first in instants {
      for second in instants {
        for rate in numbers {
          for bytes in numbers {
            var pacer = Pacer(datagramSize: 65_535)
            pacer.refill(at: Instant(nanoseconds: first), rate: rate)
            pacer.didSend(bytes)
            pacer.didSend(bytes)
            pacer.refill(at: Instant(nanoseconds: second), rate: numbers[abs(rate % 9)])
            pacer.didSend(bytes)
            isPlausible = isPlausible && pacer.allowance >= 0
            if let next = pacer.nextSend {
              isPlausible = isPlausible && next.nanoseconds >= first
            }
          }
        }
      }
    }
    #expect(isPlausible)
  }

  @Test("A debt from fast times is at most a burst in slow ones")
  func debt() {
    var pacer = Pacer(datagramSize: 1_200)
    pacer.refill(at: .zero, rate: 1_000_000_000)
    pacer.didSend(1_000_000)
    pacer.refill(at: .zero, rate: 1_000)
    // 12,000 bytes owed and a quantum of one.
    #expect(pacer.nextSend == .zero + .milliseconds(12_001))
  }

  @Test("A clock that goes back fills nothing twice")
  func backwards() {
    var pacer = Pacer(datagramSize: 1_200)
    pacer.refill(at: .zero + .seconds(1), rate: 100_000)
    pacer.didSend(12_000)
    for _ in 0..<10 {
      pacer.refill(at: .zero, rate: 100_000)
      pacer.refill(at: .zero + .seconds(1), rate: 100_000)
    }
    #expect(pacer.allowance == 0)
  }
}
