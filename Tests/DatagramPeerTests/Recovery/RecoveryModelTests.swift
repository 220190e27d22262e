import Primitives
import Testing

@testable import DatagramPeer

/// Recovery against a network that loses, delays and reorders, and a model of what must be so.
struct RecoveryModelTests {
  private struct Model {
    var generator: SplitMix64
    var recovery = Recovery(assumedRoundTrip: .milliseconds(100), maximumProbeInterval: .seconds(1))
    var now = Instant.zero
    var sizes: [UInt64: Int] = [:]
    var settled: Set<UInt64> = []
    var arrived = ReceivedPackets()
    let lossPercent: Int

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
      lossPercent = .random(in: 0...60, using: &generator)
    }

    mutating func send(arrives: Bool) {
      let number = recovery.takePacketNumber()
      let size = Int.random(in: 14...1_200, using: &generator)
      sizes[number] = size
      recovery.didSend(SentPacket(number: number, sentAt: now, size: size, messages: [number]))
      if arrives { arrived.insert(number, isAckEliciting: true, at: now) }
    }

    mutating func acknowledge() {
      guard !arrived.ranges.isEmpty else { return }
      // An old state of the receiver, as an acknowledgement that was overtaken would tell it.
      let skipped = Int.random(in: 0..<min(3, arrived.ranges.count), using: &generator)
      let frame = Acknowledgement(
        delay: .microseconds(.random(in: 0...5_000, using: &generator)),
        ranges: Array(arrived.ranges[skipped...]))
      take(recovery.acknowledge(frame, at: now))
    }

    mutating func advance() {
      if case .losses(let outcome) = recovery.advance(to: now) { take(outcome) }
    }

    mutating func take(_ outcome: Recovery.Outcome) {
      for message in outcome.acknowledged {
        #expect(settled.insert(message).inserted, "settled twice: \(message)")
        #expect(arrived.contains(message), "acknowledged and never received: \(message)")
      }
      for (message, packet) in outcome.lost {
        #expect(message == packet)
        #expect(settled.insert(message).inserted, "settled twice: \(message)")
      }
    }

    func check() {
      let open = sizes.filter { !settled.contains($0.key) }
      #expect(recovery.bytesInFlight == open.values.reduce(0, +))
      #expect(recovery.packetsInFlight == open.count)
      #expect(open.isEmpty == (recovery.deadline == nil))
    }
  }

  @Test("Each packet is settled once, and the bytes in flight add up", arguments: UInt64(0)..<60)
  func bytesInFlight(seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<300 {
      model.now = model.now + .microseconds(.random(in: 0...20_000, using: &model.generator))
      switch Int.random(in: 0..<4, using: &model.generator) {
      case 0, 1:
        model.send(
          arrives: Int.random(in: 0..<100, using: &model.generator) >= model.lossPercent)
      case 2: model.acknowledge()
      default: model.advance()
      }
      model.check()
    }
    // One last packet arrives, and time passes: nothing is left open.
    model.send(arrives: true)
    model.take(
      model.recovery.acknowledge(
        Acknowledgement(delay: .zero, ranges: model.arrived.ranges), at: model.now))
    for _ in 0..<4 {
      guard let deadline = model.recovery.deadline else { break }
      model.now = max(model.now, deadline)
      model.advance()
    }
    model.check()
    #expect(model.recovery.bytesInFlight == 0, "seed \(seed)")
    #expect(model.settled.count == model.sizes.count, "seed \(seed)")
  }
}
