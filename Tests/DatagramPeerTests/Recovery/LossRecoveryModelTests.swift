import Primitives
import Testing

@testable import DatagramPeer

/// Loss recovery against a network that loses, delays, reorders and repeats, and a naive model of
/// what must be so.
struct LossRecoveryModelTests {
  private enum State { case open, acknowledged, lost, late }

  private struct Model {
    var generator: SplitMix64
    var driver: LossRecoveryDriver
    var now = Instant.zero
    var sizes: [UInt64: Int] = [:]
    var states: [UInt64: State] = [:]
    var unasked: Set<UInt64> = []
    var fates: [PacketFate] = []
    var corrections = 0
    var arrived = ReceivedPackets()
    /// Packets that will arrive later, and acknowledgements that will be repeated.
    var underWay: [UInt64] = []
    var frames: [Acknowledgement] = []
    let lossPercent: Int

    init(seed: UInt64) {
      generator = SplitMix64(seed: seed)
      driver = LossRecoveryDriver(roundTrip: seed.isMultiple(of: 2) ? nil : .milliseconds(5))
      lossPercent = .random(in: 0...60, using: &generator)
    }

    mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &generator) < percent
    }

    mutating func send(arrives: Bool? = nil) {
      if chance(30), arrives == nil {
        unasked.insert(driver.send([], at: now))
        return
      }
      let size = Int.random(in: 14...1_200, using: &generator)
      let number = driver.recovery.nextPacketNumber
      // Some numbers have their ten bytes in several chunks.
      let start = number * 10
      let split = UInt32.random(in: 1...9, using: &generator)
      let parts = [
        SentChunk(stream: 0, start: start, length: split),
        SentChunk(stream: 0, start: start + UInt64(split), length: 10 - split),
      ]
      let sent = driver.send(at: now, size: size, chunks: chance(50) ? parts : nil)
      // A skipped number leaves the parts of another: none of the runs is long enough for one.
      precondition(sent == number)
      sizes[number] = size
      states[number] = .open
      if arrives ?? !chance(lossPercent) {
        if chance(20) { underWay.append(number) } else { receive(number) }
      }
    }

    mutating func receive(_ number: UInt64) {
      if !arrived.contains(number) { arrived.insert(number, isAckEliciting: true, at: now) }
    }

    mutating func arriveLate() {
      guard let index = underWay.indices.randomElement(using: &generator) else { return }
      receive(underWay.remove(at: index))
    }

    mutating func acknowledge() {
      guard !arrived.ranges.isEmpty else { return }
      let skipped = Int.random(in: 0..<min(3, arrived.ranges.count), using: &generator)
      frames.append(
        Acknowledgement(
          delay: .microseconds(.random(in: 0...5_000, using: &generator)),
          ranges: Array(arrived.ranges[skipped...])))
      // Now and then an old one overtakes, or comes twice.
      take(chance(20) ? frames.randomElement(using: &generator) : frames.last)
    }

    mutating func take(_ frame: Acknowledgement?) {
      guard let frame else { return }
      #expect(driver.recovery.isPlausible(frame))
      driver.acknowledge(frame, at: now)
      note()
    }

    mutating func advance() {
      driver.advance(to: now)
      note()
    }

    mutating func note() {
      for number in driver.lost {
        #expect(states[number] == .open, "lost twice, or after all: \(number)")
        states[number] = .lost
      }
      for number in driver.acknowledged {
        #expect(arrived.contains(number), "acknowledged and never received: \(number)")
        switch states[number] {
        case .open: states[number] = .acknowledged
        case .lost: states[number] = .late
        default: Issue.record("acknowledged twice: \(number)")
        }
      }
      fates += driver.outcome.fates
      corrections += driver.outcome.corrections.count
    }

    func check() {
      let open = sizes.filter { states[$0.key] == .open }
      #expect(driver.recovery.bytesInFlight == open.values.reduce(0, +))
      #expect(driver.recovery.packetsInFlight == open.count)
      #expect(open.isEmpty == (driver.recovery.deadline == nil))
    }
  }

  @Test("Each packet is settled once, and the bytes in flight add up", arguments: UInt64(0)..<80)
  func bytesInFlight(seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<120 {
      model.now = model.now + .microseconds(.random(in: 0...20_000, using: &model.generator))
      switch Int.random(in: 0..<6, using: &model.generator) {
      case 0, 1, 2: model.send()
      case 3: model.arriveLate()
      case 4: model.acknowledge()
      default: model.advance()
      }
      model.check()
    }
    // One last packet arrives, and time passes: nothing is left open.
    model.send(arrives: true)
    while !model.underWay.isEmpty { model.arriveLate() }
    model.take(Acknowledgement(delay: .zero, ranges: model.arrived.ranges))
    for _ in 0..<4 {
      guard let deadline = model.driver.recovery.deadline else { break }
      model.now = max(model.now, deadline)
      model.advance()
    }
    model.check()
    #expect(model.driver.recovery.bytesInFlight == 0, "seed \(seed)")
    // The fates of all packets, in their order, say what was found out first.
    let numbers = model.sizes.keys.sorted()
    let states = numbers.map { model.states[$0] }
    let sizes = numbers.map { UInt16(model.sizes[$0] ?? 0) }
    let areLost = states.map { $0 == .lost || $0 == .late }
    #expect(model.fates.map(\.size) == sizes, "seed \(seed)")
    #expect(model.fates.map(\.isLost) == areLost, "seed \(seed)")
    let late = states.filter { $0 == .late }.count
    #expect(model.corrections == late, "seed \(seed)")
    #expect(model.driver.recovery.spuriousLosses == UInt64(late), "seed \(seed)")
    #expect(model.driver.recovery.packetsLost == UInt64(areLost.filter { $0 }.count))
  }
}
