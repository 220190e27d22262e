import Primitives
import Testing

@testable import DatagramPeer

struct RecoveryTests {
  private let start = Instant.zero

  private func ms(_ count: Int64) -> Instant { start + .milliseconds(count) }

  /// Sends packets of 100 bytes at the given milliseconds; each carries the message of its number.
  private func recovery(
    sendingAt times: [Int64], roundTrip: Interval? = .milliseconds(40)
  ) -> Recovery {
    var recovery = Recovery(
      assumedRoundTrip: .milliseconds(100), maximumProbeInterval: .seconds(1))
    if let roundTrip { recovery.measureHandshake(roundTrip) }
    for time in times { send(by: &recovery, at: ms(time)) }
    return recovery
  }

  private func send(by recovery: inout Recovery, at now: Instant) {
    let number = recovery.takePacketNumber()
    recovery.didSend(SentPacket(number: number, sentAt: now, size: 100, messages: [number]))
  }

  private func frame(
    _ ranges: ClosedRange<UInt64>..., delay: Interval = .zero
  ) -> Acknowledgement {
    Acknowledgement(delay: delay, ranges: ranges)
  }

  @Test("Three packets behind is lost, two is not (RFC 9002, section 6.1.1)")
  func packetThreshold() {
    var recovery = recovery(sendingAt: [0, 0, 0, 0])
    var outcome = recovery.acknowledge(frame(2...2), at: ms(1))
    #expect(outcome.acknowledged == [2])
    #expect(outcome.lost.isEmpty)
    outcome = recovery.acknowledge(frame(2...3), at: ms(1))
    #expect(outcome.acknowledged == [3])
    #expect(outcome.lost.map(\.message) == [0])
    #expect(outcome.lost.map(\.packet) == [0])
    #expect(recovery.packetsLost == 1)
    #expect(recovery.packetsInFlight == 1)
  }

  @Test("Nine eighths of the round-trip time behind is lost (RFC 9002, section 6.1.2)")
  func timeThreshold() {
    var recovery = recovery(sendingAt: [0, 20])
    #expect(recovery.acknowledge(frame(1...1), at: ms(40)).lost.isEmpty)
    // The sample was 20 ms: the loss delay follows the smoothed time of 37.5 ms.
    #expect(recovery.roundTrip.lossDelay == .nanoseconds(42_187_500))
    #expect(recovery.deadline == start + .nanoseconds(42_187_500))
    guard case .nothing = recovery.advance(to: ms(42)) else {
      Issue.record("too early")
      return
    }
    guard case .losses(let outcome) = recovery.advance(to: start + .nanoseconds(42_187_500)) else {
      Issue.record("the packet should be lost")
      return
    }
    #expect(outcome.lost.map(\.packet) == [0])
    #expect(recovery.deadline == nil)
    #expect(recovery.bytesInFlight == 0)
  }

  @Test("What is sent after the acknowledged packet is never lost by it")
  func laterPackets() {
    var recovery = recovery(sendingAt: [0, 0, 0, 0, 0, 0])
    let outcome = recovery.acknowledge(frame(0...0), at: ms(10_000))
    #expect(outcome.lost.isEmpty)
    #expect(recovery.packetsInFlight == 5)
  }

  @Test("Probes: two at an even pace, then doubling, up to the limit")
  func probeTimes() {
    var recovery = recovery(sendingAt: [0])
    // 40 + 4 x 20 = 120 ms.
    var intervals: [Interval] = []
    var last = start
    for _ in 0..<8 {
      guard let deadline = recovery.deadline, case .probe = recovery.advance(to: deadline) else {
        Issue.record("a probe should be due")
        return
      }
      intervals.append(deadline - last)
      last = deadline
      send(by: &recovery, at: deadline)
    }
    #expect(
      intervals == [120, 120, 240, 480, 960, 1_000, 1_000, 1_000].map { .milliseconds($0) })
    #expect(recovery.probeCount == 8)
  }

  @Test("The limit on the interval holds for a peer that is far away too")
  func probeLimit() {
    let recovery = recovery(sendingAt: [0], roundTrip: .seconds(3))
    #expect(recovery.deadline == ms(1_000))
  }

  @Test("The time of a probe runs from the last packet that was sent")
  func probeBase() {
    var recovery = recovery(sendingAt: [0, 70])
    #expect(recovery.deadline == ms(190))
    guard case .nothing = recovery.advance(to: ms(189)) else {
      Issue.record("too early")
      return
    }
    guard case .probe = recovery.advance(to: ms(190)) else {
      Issue.record("a probe should be due")
      return
    }
    // Even where nothing could be sent, the next one has its time.
    #expect(recovery.deadline == ms(310))
  }

  @Test("No probe where nothing is in flight")
  func noProbe() {
    var recovery = recovery(sendingAt: [])
    #expect(recovery.deadline == nil)
    send(by: &recovery, at: ms(0))
    _ = recovery.acknowledge(frame(0...0), at: ms(40))
    #expect(recovery.deadline == nil)
    guard case .nothing = recovery.advance(to: ms(100_000)) else {
      Issue.record("nothing should be due")
      return
    }
    #expect(recovery.probeCount == 0)
  }

  @Test("An acknowledgement of something new ends the doubling; a repeated one does not")
  func probeReset() {
    var recovery = recovery(sendingAt: [0, 0])
    for _ in 0..<3 { _ = recovery.advance(to: recovery.deadline ?? start) }
    #expect(recovery.probeCount == 3)
    _ = recovery.acknowledge(frame(0...0), at: ms(900))
    #expect(recovery.probeCount == 0)
    _ = recovery.advance(to: ms(5_000))
    #expect(recovery.probeCount == 1)
    _ = recovery.acknowledge(frame(0...0), at: ms(5_001))
    #expect(recovery.probeCount == 1)
  }

  @Test("An acknowledgement of what was not sent is not plausible")
  func implausible() {
    let recovery = recovery(sendingAt: [0, 0])
    #expect(recovery.isPlausible(frame(1...1)))
    #expect(!recovery.isPlausible(frame(2...2)))
    #expect(!recovery.isPlausible(frame(0...variableLengthMaximum)))
    #expect(!self.recovery(sendingAt: []).isPlausible(frame(0...0)))
  }

  @Test("A late acknowledgement of a packet that counts as lost changes nothing")
  func lateAcknowledgement() {
    var recovery = recovery(sendingAt: [0, 0, 0, 0])
    let first = recovery.acknowledge(frame(1...3), at: ms(40))
    #expect(first.lost.map(\.packet) == [0])
    let roundTrip = recovery.roundTrip.figures
    let late = recovery.acknowledge(frame(0...3), at: ms(500))
    #expect(late.acknowledged.isEmpty)
    #expect(late.lost.isEmpty)
    #expect(recovery.bytesInFlight == 0)
    #expect(recovery.roundTrip.figures == roundTrip)
    #expect(recovery.largestAcknowledged == 3)
  }

  @Test("The round-trip time is measured by the largest packet only, and less the peer's delay")
  func measuring() {
    var recovery = recovery(sendingAt: [0, 100, 100], roundTrip: nil)
    _ = recovery.acknowledge(frame(1...1), at: ms(150))
    #expect(recovery.roundTrip.figures?.latest == .milliseconds(50))
    // 2 is the largest and was sent at 100; the peer waited 10 of 70.
    _ = recovery.acknowledge(frame(1...2, delay: .milliseconds(10)), at: ms(170))
    #expect(recovery.roundTrip.figures?.latest == .milliseconds(70))
    #expect(recovery.roundTrip.smoothed == .microseconds((7 * 50_000 + 60_000) / 8))
    // 0 is new, but not the largest: its 300 ms say nothing.
    _ = recovery.acknowledge(frame(0...2), at: ms(300))
    #expect(recovery.roundTrip.figures?.latest == .milliseconds(70))
  }

  @Test("Packets that asked for no acknowledgement may be named in one")
  func unasked() {
    var recovery = recovery(sendingAt: [0])
    for _ in 0..<5 { _ = recovery.takePacketNumber() }
    let outcome = recovery.acknowledge(frame(4...5), at: ms(10))
    #expect(outcome.acknowledged.isEmpty)
    #expect(recovery.largestAcknowledged == 5)
    #expect(recovery.packetsInFlight == 1)
  }
}
