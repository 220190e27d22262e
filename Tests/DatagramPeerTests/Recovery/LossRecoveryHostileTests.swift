import Primitives
import Testing

@testable import DatagramPeer

/// Acknowledgements that no honest peer sends, but that are plausible.
struct LossRecoveryHostileTests {
  /// Up to 64 ranges anywhere below `end`.
  private func frame(below end: UInt64, _ generator: inout SplitMix64) -> Acknowledgement {
    let reach = UInt64.random(in: 1...end, using: &generator)
    var upper = end - 1 - .random(in: 0...(end - reach), using: &generator)
    var ranges: [ClosedRange<UInt64>] = []
    for _ in 0..<Int.random(in: 1...64, using: &generator) {
      let lower = upper - min(upper, .random(in: 0...40, using: &generator))
      ranges.append(lower...upper)
      let gap = UInt64.random(in: 2...90, using: &generator)
      guard lower >= gap else { break }
      upper = lower - gap
    }
    return Acknowledgement(
      delay: .microseconds(.random(in: 0...10_000_000, using: &generator)), ranges: ranges)
  }

  @Test("Each byte is settled in the end, whatever is acknowledged", arguments: UInt64(0)..<30)
  func anything(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var driver = LossRecoveryDriver(seed: seed)
    var now = Instant.zero
    var sent = 0
    var settled = 0
    var late = 0
    var fates = 0
    func note() {
      settled += driver.acknowledged.count + driver.lost.count
      late += driver.outcome.corrections.count
      fates += driver.outcome.fates.count
    }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 0...120, using: &generator) {
        let isAsking = Int.random(in: 0..<4, using: &generator) > 0
        driver.send(isAsking ? .ackEliciting : [], at: now)
        sent += isAsking ? 1 : 0
      }
      now = now + .microseconds(.random(in: 0...30_000, using: &generator))
      let end = driver.recovery.sent.end
      if end > 0 {
        let acknowledgement = frame(below: end, &generator)
        if driver.recovery.isPlausible(acknowledgement) {
          driver.acknowledge(acknowledgement, at: now)
          note()
        }
      }
      driver.advance(to: now)
      note()
      let isRight =
        sent == settled - late + driver.recovery.packetsInFlight
        && driver.recovery.bytesInFlight == driver.recovery.packetsInFlight * 100
      #expect(isRight, "seed \(seed)")
      if Int.random(in: 0..<20, using: &generator) == 0 { driver.recovery.releaseStorage() }
    }
    // The last packets are acknowledged, and all before them are lost.
    let first = driver.send(at: now)
    for _ in 0..<70 { driver.send(at: now) }
    sent += 71
    for number in first..<driver.recovery.sent.end {
      driver.acknowledge(number...number, at: now + .seconds(30))
      note()
    }
    // It may have taught thresholds that are as high as they get: then time decides.
    for _ in 0..<4 {
      guard driver.recovery.packetsInFlight > 0 else { break }
      driver.advance(to: driver.recovery.deadline ?? now)
      note()
    }
    #expect(driver.recovery.packetsInFlight == 0, "seed \(seed)")
    #expect(settled - late == sent, "seed \(seed)")
    #expect(fates == sent, "seed \(seed)")
  }
}
