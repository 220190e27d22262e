import Primitives
import Testing

@testable import DatagramPeer

struct LossMonitorTests {
  /// Packets at a steady pace, each lost or not by `rate`.
  private struct Feed {
    var monitor = LossMonitor()
    var generator: SplitMix64
    var now = Instant.zero

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
    }

    mutating func run(
      packets: Int, rate: Double, interval: Interval = .microseconds(16_667),
      watching body: (LossMonitor) -> Void = { _ in }
    ) {
      for _ in 0..<packets {
        now = now + interval
        monitor.note(sentAt: now, isLost: generator.unitInterval() < rate)
        body(monitor)
      }
    }
  }

  @Test("Without loss the rate is zero, and nothing is bursty")
  func noLoss() {
    var feed = Feed(seed: 0)
    feed.run(packets: 1_000, rate: 0)
    #expect(feed.monitor.rate == 0 && feed.monitor.steadyRate == 0)
    #expect(feed.monitor.burstPackets == 1 && feed.monitor.burstTime == .zero)
    #expect(!feed.monitor.isBursty)
  }

  @Test("Loss of 5 % is told from less than 1 % within two seconds at 60 packets a second")
  func attack() {
    var seen = 0
    var quiet = 0
    for seed in UInt64(0)..<100 {
      var feed = Feed(seed: seed)
      feed.run(packets: 600, rate: 0)
      var highest = 0.0
      feed.run(packets: 120, rate: 0.05) { highest = max(highest, $0.rate) }
      if highest >= RedundancyController.beginRate { seen += 1 }
      feed = Feed(seed: seed)
      feed.run(packets: 600, rate: 0)
      highest = 0
      feed.run(packets: 120, rate: 0.005) { highest = max(highest, $0.rate) }
      if highest < RedundancyController.beginRate { quiet += 1 }
    }
    #expect(seen >= 90)
    #expect(quiet >= 85)
  }

  @Test("Where loss has ended, its rate fades in 15 seconds", arguments: [0.05, 0.1, 0.2, 0.3])
  func decay(rate: Double) {
    for seed in UInt64(0)..<20 {
      var feed = Feed(seed: seed)
      feed.run(packets: 1_000, rate: rate)
      feed.run(packets: 900, rate: 0)
      #expect(feed.monitor.rate < RedundancyController.endRate, "seed \(seed)")
    }
  }

  @Test(
    "The steady rate is right within a third or so, whatever the pace",
    arguments: [0.05, 0.1, 0.2], [Int64(100), 16_667, 100_000])
  func amount(rate: Double, interval: Int64) {
    var sum = 0.0
    for seed in UInt64(0)..<20 {
      var feed = Feed(seed: seed)
      feed.run(packets: 10_000, rate: rate, interval: .microseconds(interval))
      sum += feed.monitor.steadyRate
    }
    #expect(abs(sum / 20 - rate) < rate / 3)
  }

  @Test("Independent losses are no bursts", arguments: [0.02, 0.1, 0.2, 0.3])
  func independent(rate: Double) {
    var bursty = 0
    var all = 0
    for seed in UInt64(0)..<20 {
      var feed = Feed(seed: seed)
      feed.run(packets: 2_000, rate: rate) {
        all += 1
        if $0.isBursty { bursty += 1 }
      }
    }
    #expect(bursty * 20 < all, "\(bursty) of \(all)")
  }

  @Test("Bursts are seen, in packets and in time, though losses are told after later arrivals")
  func bursts() {
    var monitor = LossMonitor()
    var lost: [Instant] = []
    for number in Int64(0)..<600 {
      let sentAt = Instant.zero + .milliseconds(number * 10)
      // Four of forty are lost, one behind the other, and that is told five packets later, one by
      // one.
      if number % 40 < 4 {
        lost.append(sentAt)
      } else {
        monitor.note(sentAt: sentAt, isLost: false)
      }
      if number % 40 >= 8, !lost.isEmpty {
        monitor.note(sentAt: lost.removeFirst(), isLost: true)
      }
    }
    #expect(monitor.isBursty)
    #expect(abs(monitor.burstPackets - 4) < 0.01)
    #expect(abs(monitor.burstTime.milliseconds - 30) < 0.1)
    #expect(abs(monitor.steadyRate - 0.1) < 0.03)
  }

  @Test("Long pauses and times that run backwards do no harm")
  func absurdTimes() {
    var monitor = LossMonitor()
    for nanoseconds in [Int64.max, .min, 0, .max, 5, .min, 1 << 60] {
      monitor.note(sentAt: Instant(nanoseconds: nanoseconds), isLost: nanoseconds > 0)
      #expect((0...1).contains(monitor.rate))
      #expect(monitor.burstTime >= .zero)
    }
    monitor = LossMonitor()
    for _ in 0..<200 { monitor.note(sentAt: .zero, isLost: false) }
    monitor.note(sentAt: .zero + .seconds(3_600), isLost: true)
    #expect(monitor.rate < 0.05)
  }
}
