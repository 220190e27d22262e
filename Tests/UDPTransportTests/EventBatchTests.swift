import ChatTransport
import Primitives
import Testing

@testable import UDPTransport

struct EventBatchTests {
  private static let peer = PeerID(rawValue: 7)

  private static func info(_ sequence: UInt64?, channel: UInt8 = 0) -> MessageInfo {
    MessageInfo(peer: peer, channel: channel, delivery: .ordered, sequence: sequence)
  }

  private static func add(_ payload: [UInt8], to batch: inout EventBatch, _ info: MessageInfo) {
    batch.append(payload.span, info)
  }

  private static func read(_ batch: inout EventBatch) -> [String] {
    var lines: [String] = []
    while true {
      _ = batch.readMessages { payload, info in
        let number = info.sequence.map(String.init) ?? "-"
        lines.append("\(payload.count) on \(info.channel), \(number)")
      }
      guard let event = batch.nextEvent() else { return lines }
      if case .pressure = event { lines.append("pressure") } else { lines.append("other") }
    }
  }

  @Test("messages and events are read in the order in which they came")
  func order() {
    var batch = EventBatch()
    Self.add([1, 2, 3], to: &batch, Self.info(0))
    Self.add([], to: &batch, Self.info(1))
    batch.append(.pressure(Self.peer))
    Self.add([UInt8](repeating: 1, count: 20_000), to: &batch, Self.info(nil, channel: 3))
    #expect(batch.count == 4)
    #expect(Self.read(&batch) == ["3 on 0, 0", "0 on 0, 1", "pressure", "20000 on 3, -"])
    #expect(batch.isEmpty)
  }

  @Test("a number that does not follow the last one is told as it is")
  func numbers() {
    var batch = EventBatch()
    for sequence: UInt64 in [0, 1, 5, 6] { Self.add([9], to: &batch, Self.info(sequence)) }
    #expect(Self.read(&batch) == ["1 on 0, 0", "1 on 0, 1", "1 on 0, 5", "1 on 0, 6"])
  }

  @Test("a batch that was read in part takes over another one behind the rest")
  func merging() {
    var batch = EventBatch()
    var expected: [UInt8] = []
    var found: [UInt8] = []
    for round in 0..<100 {
      var other = EventBatch()
      for index in 0..<3 {
        let byte = UInt8(truncatingIfNeeded: round * 3 + index)
        Self.add([byte], to: &other, Self.info(UInt64(round * 3 + index)))
        expected.append(byte)
      }
      other.append(.pressure(Self.peer))
      batch.append(&other)
      #expect(other.isEmpty)
      for _ in 0..<3 {
        if case .message(let message)? = batch.nextEvent() { found += message.payload }
      }
    }
    while let event = batch.nextEvent() {
      if case .message(let message) = event { found += message.payload }
    }
    #expect(found == expected)
  }

  @Test("a reader gets all that waits in one batch, and is told of the end")
  func reading() async {
    let events = TransportEvents {}
    var arrived = EventBatch()
    Self.add([1], to: &arrived, Self.info(0))
    events.append(&arrived)
    Self.add([2, 2], to: &arrived, Self.info(1))
    events.append(&arrived)
    events.end()
    var batch = EventBatch()
    #expect(await events.read(into: &batch))
    #expect(Self.read(&batch) == ["1 on 0, 0", "2 on 0, 1"])
    #expect(await !events.read(into: &batch))
  }
}
