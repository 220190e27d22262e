import Primitives
import Testing

@testable import DatagramPeer

/// Packets over a network that delays each by another time, without losing any.
struct LossRecoveryReorderingTests {
  private struct Network {
    var driver = LossRecoveryDriver(roundTrip: nil)
    var received = ReceivedPackets()
    var now = Instant.zero
    var arrivals = PriorityQueue<Instant, UInt64>()
    var answers = PriorityQueue<Instant, Acknowledgement>()
    /// The receiver answers every so many packets.
    var pace = 1
    var waiting = 0

    mutating func send(arrivingAfter delay: Interval) {
      arrivals.insert(driver.send(at: now), priority: now + delay)
    }

    /// Lets time pass; an acknowledgement takes `delay` back.
    mutating func run(until end: Instant, delay: () -> Interval) {
      while let next = nextEvent, next <= end {
        now = max(now, next)
        if let arrival = arrivals.firstPriority, arrival <= now, let number = arrivals.popFirst() {
          received.insert(number, isAckEliciting: true, at: now)
          waiting += 1
          guard waiting == pace else { continue }
          waiting = 0
          let frame = Acknowledgement(delay: .zero, ranges: Array(received.ranges.prefix(32)))
          answers.insert(frame, priority: now + delay())
        } else if let answer = answers.firstPriority, answer <= now, let frame = answers.popFirst()
        {
          driver.acknowledge(frame, at: now)
        } else {
          driver.advance(to: now)
        }
      }
      now = end
    }

    private var nextEvent: Instant? {
      Instant.earlier(
        Instant.earlier(arrivals.firstPriority, answers.firstPriority), driver.recovery.deadline)
    }
  }

  @Test("60 packets a second with 20 ms of jitter: few spurious losses", arguments: UInt64(0)..<8)
  func jitter(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var network = Network()
    func delay() -> Interval {
      .microseconds(25_000 + .random(in: 0...20_000, using: &generator))
    }
    for _ in 0..<3_000 {
      network.send(arrivingAfter: delay())
      network.run(until: network.now + .microseconds(16_667), delay: delay)
    }
    #expect(
      network.driver.recovery.packetsLost < 30,
      "seed \(seed): \(network.driver.recovery.packetsLost)")
  }

  @Test(
    "100,000 packets a second that overtake up to 30 others: few spurious losses, after a while",
    arguments: UInt64(0)..<3, [1, 20])
  func fastReordering(seed: UInt64, pace: Int) {
    var generator = SplitMix64(seed: seed)
    var network = Network()
    network.pace = pace
    var lostAtFirst: UInt64 = 0
    for count in 0..<8_000 {
      // One in ten is late by as much as 30 packets take.
      let isLate = Int.random(in: 0..<10, using: &generator) == 0
      let late = isLate ? Int64.random(in: 10...300, using: &generator) : 0
      network.send(arrivingAfter: .microseconds(1_000 + late))
      network.run(until: network.now + .microseconds(10)) { .microseconds(1_000) }
      if count == 2_000 { lostAtFirst = network.driver.recovery.packetsLost }
    }
    let lostLater = network.driver.recovery.packetsLost - lostAtFirst
    #expect(lostAtFirst < 60, "seed \(seed): \(lostAtFirst)")
    #expect(lostLater <= 5, "seed \(seed): \(lostLater)")
    #expect(network.driver.recovery.thresholds.packets <= 64)
  }
}
