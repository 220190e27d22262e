import Primitives
import Testing

@testable import DatagramPeer

struct LossRecoveryTests {
  private func ms(_ count: Int64) -> Instant { LossRecoveryDriver.ms(count) }

  @Test("Three packets behind is lost, two is not (RFC 9002, section 6.1.1)")
  func packetThreshold() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(2...2, at: ms(1))
    #expect(driver.acknowledged == [2])
    #expect(driver.lost.isEmpty)
    driver.acknowledge(2...3, at: ms(1))
    #expect(driver.acknowledged == [3])
    #expect(driver.lost == [0])
    #expect(driver.outcome.lostBytes == 100)
    #expect(driver.outcome.newestLostSentAt == ms(0))
    #expect(driver.recovery.packetsLost == 1)
    #expect(driver.recovery.packetsInFlight == 1)
    #expect(driver.recovery.bytesInFlight == 100)
  }

  @Test("Nine eighths of the round-trip time behind is lost (RFC 9002, section 6.1.2)")
  func timeThreshold() {
    var driver = LossRecoveryDriver(sendingAt: [0, 20])
    driver.acknowledge(1...1, at: ms(40))
    #expect(driver.lost.isEmpty)
    // The sample was 20 ms: the loss delay follows the smoothed time of 37.5 ms.
    let deadline = Instant(nanoseconds: 42_187_500)
    #expect(driver.recovery.deadline == deadline)
    driver.advance(to: ms(42))
    #expect(driver.lost.isEmpty)
    driver.advance(to: deadline)
    #expect(driver.lost == [0])
    #expect(driver.probes == 0)
    #expect(driver.recovery.deadline == nil)
    #expect(driver.recovery.bytesInFlight == 0)
  }

  @Test("On a local network a loss is seen after a quarter of a millisecond")
  func localNetwork() {
    var driver = LossRecoveryDriver(roundTrip: .microseconds(100))
    driver.send(at: .zero)
    driver.send(at: .zero)
    driver.acknowledge(1...1, at: .zero + .microseconds(100))
    #expect(driver.recovery.deadline == .zero + .microseconds(250))
  }

  @Test("What is sent after the acknowledged packet is never lost by it")
  func laterPackets() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0, 0, 0])
    driver.acknowledge(0...0, at: ms(10_000))
    #expect(driver.lost.isEmpty)
    #expect(driver.recovery.packetsInFlight == 5)
  }

  @Test("Neighbouring parts of streams come merged, also where streams take turns")
  func merging() {
    var driver = LossRecoveryDriver()
    for turn in UInt64(0)..<40 {
      driver.send(
        at: ms(0),
        chunks: (UInt16(0)..<3).map { SentChunk(stream: $0, start: turn * 50, length: 50) })
    }
    driver.acknowledge(0...39, at: ms(40))
    #expect(
      driver.outcome.acknowledged
        == (UInt16(0)..<3).map { SentChunk(stream: $0, start: 0, length: 2_000) })
    #expect(driver.outcome.acknowledgedBytes == 4_000)
    #expect(driver.outcome.newestAcknowledgedSentAt == ms(0))
  }

  @Test("Windows, acknowledgements and probes of the path's size have their own fates")
  func contents() {
    var driver = LossRecoveryDriver()
    driver.send([.ackEliciting, .windows], at: ms(0), acknowledging: 17)
    driver.send([.ackEliciting, .probe], at: ms(0), size: 1_400, chunks: [])
    for _ in 0..<3 { driver.send(at: ms(0)) }
    driver.send([.ackEliciting, .probe], at: ms(0), size: 1_300, chunks: [], acknowledging: 23)
    driver.acknowledge(2...5, at: ms(40))
    #expect(driver.outcome.lostWindows)
    #expect(driver.outcome.probeLost == 1_400)
    #expect(driver.outcome.probeAcknowledged == 1_300)
    #expect(driver.outcome.lostBytes == 100)
    #expect(driver.outcome.largestAcknowledgementHeard == 23)
    #expect(driver.outcome.fates.map(\.isLost) == [true, false, false, false])
    #expect(driver.recovery.packetsLost == 1)
    #expect(driver.recovery.bytesInFlight == 0)
  }

  @Test("Fates come in the order of packet numbers, those behind an open packet later")
  func fates() {
    var driver = LossRecoveryDriver(sendingAt: [0, 1, 2, 3, 4])
    driver.acknowledge(1...2, at: ms(40))
    #expect(driver.outcome.fates.isEmpty)
    driver.acknowledge(4...4, 1...2, at: ms(42))
    #expect(driver.outcome.fates.map(\.sentAt) == [ms(0), ms(1), ms(2)])
    #expect(driver.outcome.fates.map(\.isLost) == [true, false, false])
    driver.acknowledge(1...4, at: ms(43))
    #expect(driver.outcome.fates.map(\.sentAt) == [ms(3), ms(4)])
  }

  @Test("An acknowledgement of what was not sent is not plausible")
  func implausible() {
    let driver = LossRecoveryDriver(sendingAt: [0, 0])
    let none = LossRecoveryDriver()
    func frame(_ range: ClosedRange<UInt64>) -> Acknowledgement {
      Acknowledgement(delay: .zero, ranges: [range])
    }
    #expect(driver.recovery.isPlausible(frame(1...1)))
    #expect(!driver.recovery.isPlausible(frame(2...2)))
    #expect(!driver.recovery.isPlausible(frame(0...variableLengthMaximum)))
    #expect(!none.recovery.isPlausible(frame(0...0)))
  }

  @Test("A number that was skipped on purpose cannot be acknowledged", arguments: UInt64(0)..<20)
  func skipped(seed: UInt64) {
    var driver = LossRecoveryDriver(seed: seed)
    var skipped: [UInt64] = []
    var next: UInt64 = 0
    for _ in 0..<2_000 {
      let number = driver.send(at: ms(0))
      if number != next { skipped.append(next) }
      next = number + 1
    }
    #expect((2...4).contains(skipped.count), "seed \(seed): \(skipped)")
    #expect(skipped[0] >= 128)
    for number in skipped {
      let around = [(number - 1)...(number + 1)]
      let beside = [number - 1, number + 1].map { $0...$0 }
      func isPlausible(_ ranges: [ClosedRange<UInt64>]) -> Bool {
        driver.recovery.isPlausible(Acknowledgement(delay: .zero, ranges: ranges))
      }
      #expect(!isPlausible(around), "seed \(seed)")
      #expect(isPlausible(beside.reversed()), "seed \(seed)")
    }
  }

  @Test("Packets that asked for no acknowledgement may be named in one")
  func unasked() {
    var driver = LossRecoveryDriver(sendingAt: [0])
    for _ in 0..<5 { driver.send([], at: ms(0)) }
    driver.acknowledge(2...2, at: ms(10))
    #expect(driver.acknowledged.isEmpty)
    #expect(driver.recovery.largestAcknowledged == 2)
    #expect(driver.recovery.packetsInFlight == 1)
    // They count as what was sent later: three behind the fourth, the packet is lost.
    driver.acknowledge(3...3, at: ms(11))
    #expect(driver.lost == [0])
    #expect(driver.recovery.deadline == nil)
  }

  @Test("The round-trip time is measured by the largest packet only, and less the peer's delay")
  func measuring() {
    var driver = LossRecoveryDriver(sendingAt: [0, 100, 100], roundTrip: nil)
    driver.acknowledge(1...1, at: ms(150))
    #expect(driver.recovery.roundTrip.figures?.latest == .milliseconds(50))
    driver.acknowledge(1...2, delay: .milliseconds(10), at: ms(170))
    #expect(driver.recovery.roundTrip.figures?.latest == .milliseconds(70))
    #expect(driver.recovery.roundTrip.smoothed == .microseconds((7 * 50_000 + 60_000) / 8))
    // 0 comes late, and is not the largest: its time says nothing.
    driver.acknowledge(0...2, at: ms(300))
    #expect(driver.recovery.roundTrip.figures?.latest == .milliseconds(70))
  }

  @Test("A largest number that asked for nothing measures what came with it")
  func measuringUnasked() {
    var driver = LossRecoveryDriver(sendingAt: [0], roundTrip: nil)
    driver.send([], at: ms(10))
    driver.acknowledge(0...1, delay: .milliseconds(3), at: ms(60))
    #expect(driver.recovery.roundTrip.figures?.latest == .milliseconds(50))
    // Alone it measures nothing: nobody says how long the peer had no reason to answer.
    driver.send([], at: ms(70))
    driver.send(at: ms(80))
    driver.send([], at: ms(90))
    driver.acknowledge(4...4, 0...1, at: ms(400))
    #expect(driver.recovery.roundTrip.figures?.latest == .milliseconds(50))
  }
}
