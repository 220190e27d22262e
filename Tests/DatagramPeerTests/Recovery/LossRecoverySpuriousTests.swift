import Primitives
import Testing

@testable import DatagramPeer

struct LossRecoverySpuriousTests {
  private func ms(_ count: Int64) -> Instant { LossRecoveryDriver.ms(count) }

  @Test("A late acknowledgement of a packet that counts as lost is told, and measures nothing")
  func lateAcknowledgement() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(1...3, at: ms(40))
    #expect(driver.lost == [0])
    let roundTrip = driver.recovery.roundTrip.figures
    driver.acknowledge(0...3, at: ms(60))
    #expect(driver.acknowledged == [0])
    #expect(driver.outcome.corrections == [PacketFate(sentAt: ms(0), size: 100, isLost: false)])
    #expect(driver.outcome.fates.isEmpty)
    #expect(driver.outcome.acknowledgedBytes == 0)
    #expect(driver.outcome.newestAcknowledgedSentAt == nil)
    #expect(driver.recovery.spuriousLosses == 1)
    #expect(driver.recovery.bytesInFlight == 0)
    #expect(driver.recovery.roundTrip.figures == roundTrip)
    driver.acknowledge(0...3, at: ms(61))
    #expect(driver.outcome.corrections.isEmpty)
  }

  @Test("A reduction is undone once all of its losses proved to be none, and only once")
  func undo() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0, 0])
    driver.acknowledge(4...4, at: ms(40))
    #expect(driver.lost == [0, 1])
    driver.acknowledge(4...4, 1...1, at: ms(42))
    #expect(!driver.outcome.spurious)
    driver.acknowledge(4...4, 0...1, at: ms(43))
    #expect(driver.outcome.spurious)
    driver.acknowledge(0...4, at: ms(44))
    #expect(!driver.outcome.spurious)
  }

  @Test("The loss of a packet sent after the reduction belongs to another one")
  func episodes() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(1...3, at: ms(40))
    for _ in 0..<4 { driver.send(at: ms(50)) }
    driver.acknowledge(5...7, 1...3, at: ms(90))
    #expect(driver.lost == [4])
    // The first loss is none: the second reduction stands.
    driver.acknowledge(5...7, 0...3, at: ms(91))
    #expect(driver.recovery.spuriousLosses == 1)
    #expect(!driver.outcome.spurious)
    driver.acknowledge(0...7, at: ms(92))
    #expect(driver.outcome.spurious)
  }

  @Test("After a quarter of a second, and many packets, a loss is forgotten")
  func forgetting() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(1...3, at: ms(40))
    driver.send(at: ms(2_000))
    driver.acknowledge(4...4, 1...3, at: ms(2_040))
    driver.acknowledge(0...4, at: ms(2_041))
    #expect(driver.recovery.spuriousLosses == 0)
    #expect(driver.outcome.acknowledged.isEmpty)

    driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(1...3, at: ms(40))
    // Nothing of it is kept on account of packets that ask for nothing.
    for _ in 0..<10_000 { driver.send([], at: ms(41)) }
    #expect(driver.recovery.capacity.records <= 512)
    #expect(driver.recovery.rememberedLosses == 0)
  }

  @Test("Spurious losses raise the threshold that was too low; calm times lower it again")
  func thresholds() {
    var thresholds = LossThresholds()
    var roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
    roundTrip.update(.milliseconds(80), acknowledgementDelay: .zero)
    func note(_ distance: UInt64, _ age: Int64, inFlight: Int = 0) {
      thresholds.noteSpuriousLoss(
        distance: distance, age: .milliseconds(age), roundTrip: roundTrip,
        packetsInFlight: inFlight)
    }
    note(10, 80)
    #expect(thresholds.packets == 11)
    #expect(thresholds.eighths == 9)
    note(2, 115)
    #expect(thresholds.packets == 11)
    #expect(thresholds.eighths == 12)
    // Longer than two round trips: an outage.
    note(2, 161)
    #expect(thresholds.eighths == 12)
    note(1_000, 80)
    #expect(thresholds.packets == 64)
    note(1_000, 80, inFlight: 4_000)
    #expect(thresholds.packets == 500)
    for _ in 0..<15 { thresholds.noteEpisode() }
    #expect(thresholds.packets == 500)
    thresholds.noteEpisode()
    #expect(thresholds.packets == 251)
    #expect(thresholds.eighths == 10)
    for _ in 0..<200 { thresholds.noteEpisode() }
    #expect(thresholds.packets == 3)
    #expect(thresholds.eighths == 9)
  }

  @Test("Absurd ages do no harm", arguments: [Int64.min, -1, 0, 1, .max])
  func absurd(age: Int64) {
    var thresholds = LossThresholds()
    var roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
    roundTrip.update(.nanoseconds(1), acknowledgementDelay: .zero)
    thresholds.noteSpuriousLoss(
      distance: .max / 2, age: Interval(nanoseconds: age), roundTrip: roundTrip,
      packetsInFlight: 1)
    #expect(thresholds.eighths == 9)
  }
}
