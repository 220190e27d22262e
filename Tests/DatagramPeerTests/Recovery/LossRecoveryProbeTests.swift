import Primitives
import Testing

@testable import DatagramPeer

struct LossRecoveryProbeTests {
  private func ms(_ count: Int64) -> Instant { LossRecoveryDriver.ms(count) }

  @Test("Probes: two at an even pace, then doubling, up to the limit, two at a time")
  func probeTimes() {
    var driver = LossRecoveryDriver(sendingAt: [0])
    // 40 + 4 x 20 = 120 ms.
    var intervals: [Interval] = []
    var probes: [Int] = []
    var last = Instant.zero
    for _ in 0..<8 {
      guard let deadline = driver.recovery.deadline else {
        Issue.record("a probe should be due")
        return
      }
      driver.advance(to: deadline)
      intervals.append(deadline - last)
      probes.append(driver.probes)
      last = deadline
      driver.send(at: deadline)
    }
    #expect(
      intervals == [120, 120, 240, 480, 960, 1_000, 1_000, 1_000].map { .milliseconds($0) })
    #expect(probes == [1, 1, 2, 2, 2, 2, 2, 2])
    #expect(driver.recovery.probeCount == 8)
  }

  @Test("The limit bounds the doubling, and not the first probe of a peer that is far away")
  func probeLimit() {
    var driver = LossRecoveryDriver(sendingAt: [0], roundTrip: .seconds(3))
    // 3 + 4 x 1.5 s.
    #expect(driver.recovery.deadline == ms(9_000))
    for _ in 0..<4 { driver.advance(to: driver.recovery.deadline ?? .zero) }
    #expect(driver.recovery.deadline == ms(45_000))
  }

  @Test("The time of a probe runs from the last packet; one that follows closely may be delayed")
  func probeBase() {
    var driver = LossRecoveryDriver(sendingAt: [0, 70])
    #expect(driver.recovery.deadline == ms(190))
    driver.advance(to: ms(189))
    #expect(driver.probes == 0)
    driver.advance(to: ms(190))
    #expect(driver.probes == 1)
    // Even where nothing could be sent, the next one has its time.
    #expect(driver.recovery.deadline == ms(310))
    driver.send(at: ms(200))
    driver.send(at: ms(204))
    // An eighth of 40 ms more.
    #expect(driver.recovery.deadline == ms(204 + 120 + 5))
    // What is known already may wait for the longest time there is.
    driver.send([.ackEliciting, .copies], at: ms(300))
    #expect(driver.recovery.deadline == ms(300 + 120 + 25))
  }

  @Test("No probe where nothing is in flight")
  func noProbe() {
    var driver = LossRecoveryDriver()
    #expect(driver.recovery.deadline == nil)
    driver.send([], at: ms(0))
    #expect(driver.recovery.deadline == nil)
    driver.send(at: ms(0))
    driver.acknowledge(1...1, at: ms(40))
    #expect(driver.recovery.deadline == nil)
    driver.advance(to: ms(100_000))
    #expect(driver.probes == 0)
    #expect(driver.recovery.probeCount == 0)
  }

  @Test("An acknowledgement of something new ends the doubling; a repeated one does not")
  func probeReset() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0])
    for _ in 0..<3 { driver.advance(to: driver.recovery.deadline ?? .zero) }
    #expect(driver.recovery.probeCount == 3)
    driver.acknowledge(0...0, at: ms(900))
    #expect(driver.recovery.probeCount == 0)
    driver.advance(to: ms(5_000))
    #expect(driver.recovery.probeCount == 1)
    driver.acknowledge(0...0, at: ms(5_001))
    #expect(driver.recovery.probeCount == 1)
  }

  @Test("Long silence is persistent congestion (RFC 9002, section 7.6)")
  func persistentCongestion() {
    // A sample of 38 ms makes of 40 and 20 ms 39.75 and 15.5: 3 x (39.75 + 62 + 25) = 380.25 ms.
    for (last, isPersistent) in [(Int64(380), false), (381, true)] {
      var driver = LossRecoveryDriver(sendingAt: [0, 200, last, 440, 441, 442])
      driver.acknowledge(3...5, at: ms(480))
      #expect(driver.lost == [0, 1, 2])
      #expect(driver.outcome.isPersistentCongestion == isPersistent)
    }
  }

  @Test("Whatever came through in between ends the silence; before a measurement there is none")
  func noPersistentCongestion() {
    var driver = LossRecoveryDriver(sendingAt: [0, 200, 600, 640, 641, 642])
    driver.acknowledge(3...5, 1...1, at: ms(680))
    driver.advance(to: ms(3_000))
    #expect(driver.recovery.packetsLost == 2)
    #expect(!driver.outcome.isPersistentCongestion)

    driver = LossRecoveryDriver(sendingAt: [0, 2_000, 3_000, 3_001, 3_002, 3_003], roundTrip: nil)
    driver.acknowledge(3...5, at: ms(3_040))
    driver.advance(to: ms(5_000))
    #expect(driver.recovery.packetsLost == 3)
    #expect(!driver.outcome.isPersistentCongestion)
  }
}
