import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Random operations on a stream and on its model.
struct SendStreamModelTests {
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func behavesAsItsModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var model = SendStreamModel(
      isOrdered: seed % 2 == 0, limit: UInt64.random(in: 100...3_000, using: &generator))
    let mayExpire = Int.random(in: 0..<3, using: &generator) > 0
    for step in 0..<250 where model.faults.isEmpty {
      operate(&model, &generator, now: Instant(nanoseconds: Int64(step)), mayExpire: mayExpire)
    }
    #expect(model.faults == [], "seed \(seed)")
  }

  /// However much is lost, every message arrives exactly once, or was given up and is skipped.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func deliversEverythingOnce(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var model = SendStreamModel(isOrdered: seed % 2 == 0, limit: 1_000)
    for step in 0..<150 where model.faults.isEmpty {
      operate(&model, &generator, now: Instant(nanoseconds: Int64(step)), mayExpire: true)
    }
    model.stream.limit = 1 << 40
    var rounds = 0
    while !model.stream.isSettled, model.faults.isEmpty, rounds < 1_000 {
      rounds += 1
      while model.write(.lost, room: 120) {}
      while model.write(.fresh(credit: 10_000), room: 120) {}
      for frame in model.outstanding {
        if Bool.random(using: &generator) { model.acknowledge(frame) } else { model.lose(frame) }
      }
      model.outstanding = []
    }
    let receiver = model.receiver
    let isComplete = model.messages.allSatisfy { message in
      let times = receiver.delivered.filter { $0 == message.range }.count
      let isSkipped = receiver.isSkipped[message.range].allSatisfy { $0 }
      return times == 1 && receiver.bytes(message.range) == Array(model.bytes[message.range])
        || message.isGivenUp && isSkipped && times <= 1
    }
    #expect(model.stream.isSettled && isComplete, "seed \(seed), \(rounds) rounds")
    #expect(receiver.delivered.count <= model.messages.count, "seed \(seed)")
    #expect(model.faults == [], "seed \(seed)")
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func tellsAllThatIsLeftAtItsEnd(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var model = SendStreamModel(isOrdered: seed % 2 == 0, limit: 2_000)
    for step in 0..<100 {
      operate(&model, &generator, now: Instant(nanoseconds: Int64(step)), mayExpire: true)
    }
    model.end()
    #expect(model.faults == [], "seed \(seed)")
  }

  private func operate(
    _ model: inout SendStreamModel, _ generator: inout SplitMix64, now: Instant, mayExpire: Bool
  ) {
    let room = Int.random(in: 1...200, using: &generator)
    switch Int.random(in: 0..<16, using: &generator) {
    case 0, 1:
      let size = Int.random(in: 0..<(Bool.random(using: &generator) ? 30 : 300), using: &generator)
      let expires = Instant(
        nanoseconds: now.nanoseconds + Int64.random(in: 0..<80, using: &generator))
      let isExpiring = mayExpire && Bool.random(using: &generator)
      model.append(
        size: size, reports: Bool.random(using: &generator), expires: isExpiring ? expires : nil)
    case 2:
      let sizes = (0..<Int.random(in: 1..<9, using: &generator)).map { _ in
        Int.random(in: 0..<90, using: &generator)
      }
      model.appendRun(sizes: sizes, reports: Bool.random(using: &generator))
    case 3, 4, 5, 6:
      writePacket(&model, &generator)
    case 7: _ = model.write(.oldest, room: room)
    case 8 where model.sentEnd > 0:
      let lower = Int.random(in: 0..<model.sentEnd, using: &generator)
      let upper = Int.random(in: lower...model.sentEnd, using: &generator)
      _ = model.write(.copy(UInt64(lower)..<UInt64(upper)), room: room)
    case 9: model.giveUp(at: now)
    case 10: model.stream.limit += 200
    default:
      guard let index = model.outstanding.indices.randomElement(using: &generator) else { return }
      // An acknowledgement may come after a loss was declared, and of one thing more than once.
      let frame = model.outstanding[index]
      if Bool.random(using: &generator) { model.outstanding.remove(at: index) }
      if Int.random(in: 0..<3, using: &generator) > 0 {
        model.acknowledge(frame)
      } else {
        model.lose(frame)
      }
    }
  }

  /// All that is to be sent, some of it a second time, in small packets.
  private func writePacket(_ model: inout SendStreamModel, _ generator: inout SplitMix64) {
    model.beginPacket()
    let credit = UInt64.random(in: 0..<300, using: &generator)
    let room = Int.random(in: 20..<200, using: &generator)
    for _ in 0..<2 { _ = model.write(.lost, room: room) }
    for _ in 0..<2 { _ = model.write(.fresh(credit: credit), room: room) }
    model.stream.beginRides()
    let sends = Bool.random(using: &generator) ? Int.max : 2
    for _ in 0..<4 { _ = model.write(.ride(sends: sends, budget: 100), room: room) }
  }
}
