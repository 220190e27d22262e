import Primitives
import Testing

@testable import ChatTransport

struct EventBatchTests {
  private let peer = PeerID(rawValue: 4)

  private struct Read: Equatable {
    var payload: [UInt8]
    var info: MessageInfo
  }

  private func readAll(_ inbox: inout EventBatch) -> [Read] {
    var all: [Read] = []
    let count = inbox.readMessages { bytes, info in
      all.append(Read(payload: bytes.copy(0..<bytes.count), info: info))
    }
    #expect(count == all.count)
    return all
  }

  private func append(_ payload: [UInt8], _ sequence: UInt64?, to inbox: inout EventBatch) {
    inbox.append(
      payload.span, peer: peer, channel: 2, delivery: .unreliable, sequence: sequence)
  }

  private func info(_ sequence: UInt64?) -> MessageInfo {
    MessageInfo(peer: peer, channel: 2, delivery: .unreliable, sequence: sequence)
  }

  @Test("Messages of every length come out as they went in, lent or copied")
  func lengths() {
    for size in [0, 1, 63, 64, 65, 16_383, 16_384, 100_000] {
      let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      var inbox = EventBatch()
      append(payload, 1, to: &inbox)
      append(payload, 2, to: &inbox)
      let isCopied =
        inbox.nextEvent()
        == .message(
          ReceivedMessage(
            peer: peer, channel: 2, delivery: .unreliable, sequence: 1, payload: payload))
      let isLent = readAll(&inbox) == [Read(payload: payload, info: info(2))]
      #expect(isCopied && isLent, "size \(size)")
      #expect(inbox.isEmpty)
    }
  }

  @Test("No more is lent than asked for, and the rest keeps its numbers", arguments: 1...7)
  func limit(limit: Int) {
    var inbox = EventBatch()
    for number in UInt8(0)..<5 { append([number], UInt64(number), to: &inbox) }
    inbox.append(.pressure(peer))
    append([9], 40, to: &inbox)
    var read: [Read] = []
    var counts: [Int] = []
    while inbox.count > 2 {
      let count = inbox.readMessages(atMost: limit) { bytes, info in
        read.append(Read(payload: bytes.copy(0..<bytes.count), info: info))
      }
      counts.append(count)
      guard count > 0 else { break }
    }
    #expect(counts.allSatisfy { (1...limit).contains($0) } && counts.reduce(0, +) == 5)
    #expect(read == (0..<5).map { Read(payload: [UInt8($0)], info: info(UInt64($0))) })
    #expect(inbox.readMessages(atMost: limit) { _, _ in } == 0)
    #expect(inbox.nextEvent() == .pressure(peer))
    #expect(readAll(&inbox) == [Read(payload: [9], info: info(40))])
  }

  @Test("Events keep their place between messages, however they are read")
  func order() {
    var inbox = EventBatch()
    append([1], 0, to: &inbox)
    inbox.append(.pressure(peer))
    inbox.append(.relief(peer))
    append([2], nil, to: &inbox)
    append([3], nil, to: &inbox)
    inbox.append(.closed(.closedByUs))
    #expect(inbox.count == 6)
    #expect(readAll(&inbox) == [Read(payload: [1], info: info(0))])
    #expect(readAll(&inbox) == [])
    #expect(inbox.nextEvent() == .pressure(peer))
    #expect(readAll(&inbox) == [])
    #expect(inbox.nextEvent() == .relief(peer))
    guard case .message(let message) = inbox.nextEvent() else {
      Issue.record("the next is a message")
      return
    }
    #expect(message.payload == [2] && message.sequence == nil)
    #expect(readAll(&inbox) == [Read(payload: [3], info: info(nil))])
    #expect(inbox.nextEvent() == .closed(.closedByUs))
    #expect(inbox.nextEvent() == nil)
    #expect(inbox.isEmpty && inbox.byteCount == 0)
  }

  @Test("A run has a record for all its messages, and one that goes on joins it")
  func runs() {
    var inbox = EventBatch()
    let bytes: [UInt8] = [1, 10, 0, 2, 20, 21]
    for first in [UInt64(5), 8, 20] {
      inbox.append(
        run: bytes.span, count: 3, peer: peer, channel: 0, delivery: .ordered,
        firstSequence: first)
    }
    #expect(inbox.runs.count == 2)
    let read = readAll(&inbox)
    #expect(read.map(\.info.sequence) == [5, 6, 7, 8, 9, 10, 20, 21, 22])
    #expect(read.prefix(3).map(\.payload) == [[10], [], [20, 21]])
  }

  @Test("Messages of another peer, channel or kind, or without numbers, are kept apart")
  func separateRuns() {
    var inbox = EventBatch()
    let infos = [
      MessageInfo(peer: peer, channel: 0, delivery: .ordered, sequence: 0),
      MessageInfo(peer: PeerID(rawValue: 5), channel: 0, delivery: .ordered, sequence: 1),
      MessageInfo(peer: PeerID(rawValue: 5), channel: 1, delivery: .ordered, sequence: 2),
      MessageInfo(peer: PeerID(rawValue: 5), channel: 1, delivery: .sequenced, sequence: 3),
      MessageInfo(peer: PeerID(rawValue: 5), channel: 1, delivery: .sequenced, sequence: nil),
    ]
    for info in infos {
      inbox.append(
        [1].span, peer: info.peer, channel: info.channel, delivery: info.delivery,
        sequence: info.sequence)
    }
    #expect(readAll(&inbox).map(\.info) == infos)
  }

  @Test("A run can come out of a ring, also where the ring turns around")
  func ringRun() {
    var ring = ByteRing(start: 250)
    ring.append([1, 10, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 11].span)
    var inbox = EventBatch()
    inbox.append(
      run: 250..<264, of: ring, count: 3, peer: peer, channel: 0, delivery: .reliable,
      firstSequence: nil)
    #expect(readAll(&inbox).map(\.payload) == [[10], [1, 2, 3, 4, 5, 6, 7, 8, 9], [11]])
  }

  @Test("An event that is a message is one")
  func messageEvent() {
    var inbox = EventBatch()
    let message = ReceivedMessage(
      peer: peer, channel: 2, delivery: .unreliable, sequence: 3, payload: [1, 2])
    inbox.append(.message(message))
    #expect(readAll(&inbox) == [Read(payload: [1, 2], info: info(3))])
  }

  @Test("Where never all is read, what was read takes no more room than what waits")
  func neverEmpty() {
    var inbox = EventBatch()
    let payload = [UInt8](repeating: 1, count: 100)
    var largest = 0
    for sequence in UInt64(0)..<5_000 {
      append(payload, sequence * 2, to: &inbox)
      if sequence >= 50 { _ = inbox.nextEvent() }
      largest = max(largest, inbox.slab.count + inbox.runs.count * 24)
    }
    #expect(inbox.count == 50)
    #expect(largest < 25_000)
    #expect(readAll(&inbox).map(\.info.sequence) == (4_950..<5_000).map { $0 * 2 })
  }

  @Test("Memory of one great rush is given back in time, or at once on request")
  func memory() {
    var inbox = EventBatch()
    append([UInt8](repeating: 1, count: 1 << 20), 0, to: &inbox)
    _ = inbox.readMessages { _, _ in }
    #expect(inbox.slab.capacity >= 1 << 20)
    for _ in 0..<2_100 {
      append([1], 0, to: &inbox)
      _ = inbox.readMessages { _, _ in }
    }
    #expect(inbox.slab.capacity < 1 << 20)
    inbox.releaseStorage()
    #expect(inbox.slab.capacity == 0)
  }

  @Test("Many rounds use the same memory")
  func reuse() {
    var inbox = EventBatch()
    var capacities: Set<Int> = []
    for _ in 0..<100 {
      for sequence in UInt64(0)..<10 { append([1, 2, 3], sequence, to: &inbox) }
      _ = inbox.readMessages { _, _ in }
      capacities.insert(inbox.slab.capacity)
    }
    #expect(capacities.count == 1)
  }

  @Test("A batch that was read in part takes over another one behind the rest")
  func merging() {
    var batch = EventBatch()
    var found: [UInt8] = []
    for round in UInt8(0)..<80 {
      var other = EventBatch()
      for index in UInt8(0)..<3 {
        append([round * 3 + index], UInt64(round) * 3 + UInt64(index), to: &other)
      }
      other.append(.pressure(peer))
      batch.append(&other)
      #expect(other.isEmpty && other.count == 0)
      for _ in 0..<3 {
        if case .message(let message)? = batch.nextEvent() { found += message.payload }
      }
    }
    #expect(batch.count == 80)
    while let event = batch.nextEvent() {
      if case .message(let message) = event { found += message.payload }
    }
    #expect(found == Array(0..<240))
  }

  @Test("Messages move to another batch, up to the next event", arguments: [1, 2, 9])
  func moving(limit: Int) {
    var batch = EventBatch()
    var other = EventBatch()
    append([1], 0, to: &batch)
    append([2, 2], 1, to: &batch)
    append([], 2, to: &batch)
    var moved = 0
    while true {
      let count = batch.moveMessages(atMost: limit, to: &other)
      moved += count
      if count == 0 { break }
      #expect(count <= limit)
    }
    #expect(moved == 3 && batch.isEmpty && other.count == 3)
    append([3], 3, to: &batch)
    batch.append(.relief(peer))
    append([4], 4, to: &batch)
    #expect(batch.moveMessages(atMost: 9, to: &other) == 1)
    #expect(batch.moveMessages(atMost: 9, to: &other) == 0)
    #expect(batch.nextEvent() == .relief(peer))
    #expect(batch.moveMessages(atMost: 9, to: &other) == 1)
    let sequences = readAll(&other).map(\.info.sequence)
    #expect(sequences == [0, 1, 2, 3, 4] && other.isEmpty && batch.isEmpty)
  }
}
