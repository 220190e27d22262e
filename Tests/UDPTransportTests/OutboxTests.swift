import ChatTransport
import Primitives
import SocketDriver
import Testing

@testable import UDPTransport

struct OutboxTests {
  let loop: EventLoop
  let outbox: Outbox
  var reader: OutboxReader
  var till = Till()
  let a = PeerID(rawValue: 1)
  let b = PeerID(rawValue: 2)

  init() throws {
    loop = try EventLoop()
    outbox = Outbox(limit: 1_000, loop: loop.handle)
    reader = OutboxReader(outbox)
  }

  static func payloads(_ numbers: Range<Int>, size: Int = 9) -> [[UInt8]] {
    numbers.map { [UInt8](repeating: UInt8($0 & 0xFF), count: size) }
  }

  static func run(_ payloads: [[UInt8]]) -> MessageRun {
    var run = MessageRun()
    for payload in payloads { run.append(payload) }
    return run
  }

  @discardableResult
  func send(
    _ payloads: [[UInt8]], to peer: PeerID, _ options: SendOptions = SendOptions()
  ) throws(SendError) -> Int {
    var run = Self.run(payloads)
    let taken = try outbox.send(&run, to: peer, options, within: till.capabilities)
    #expect(run.count == payloads.count - taken)
    return taken
  }

  @Test mutating func messagesReachTheTransportInOrder() throws {
    till.room = [a: 100, b: 100]
    #expect(try send(Self.payloads(0..<10), to: a) == 10)
    #expect(try send(Self.payloads(0..<3), to: b) == 3)
    #expect(try send(Self.payloads(10..<20), to: a) == 10)
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<20))
    #expect(till.taken[b] == Self.payloads(0..<3))
    #expect(outbox.dropped == 0)
  }

  @Test("a run in the caller's memory goes as far as there is room, and on from there")
  mutating func aRunOfTheCallersOwn() throws {
    till.room = [a: 1_000]
    // One of 20 bytes, and then many of another size: 10 bytes each with its length.
    let payloads = [[UInt8](repeating: 7, count: 19)] + Self.payloads(0..<150)
    let bytes: [UInt8] = payloads.flatMap { [UInt8($0.count)] + $0 }
    var done = (count: 0, byteCount: 0)
    var calls: [Int] = []
    while done.count < payloads.count, calls.count < 9 {
      let rest = bytes.span.extracting(done.byteCount..<bytes.count)
      let taken = try outbox.send(
        run: rest, count: payloads.count - done.count, to: a, SendOptions(),
        within: till.capabilities)
      calls.append(taken.count)
      done = (done.count + taken.count, done.byteCount + taken.byteCount)
      if taken.count == 0 { reader.drain(into: &till, at: .zero) }
    }
    reader.drain(into: &till, at: .zero)
    #expect(calls == [99, 0, 52])
    #expect(till.taken[a] == payloads)
  }

  @Test("the largest message of a run is found wherever it stands", arguments: [0, 3, 6])
  func largestOfARun(place: Int) {
    var payloads = Self.payloads(0..<6)
    payloads.insert([UInt8](repeating: 1, count: 62), at: place)
    let bytes: [UInt8] = payloads.flatMap { [UInt8($0.count)] + $0 }
    #expect(RunCutting.largestPayload(of: bytes.span, count: 7) == 62)
  }

  @Test mutating func aRunMayBeFilledAgain() throws {
    till.room = [a: 100]
    var run = Self.run(Self.payloads(0..<4))
    for _ in 0..<3 {
      let taken = try outbox.send(&run, to: a, SendOptions(), within: till.capabilities)
      #expect(taken == 4 && run.count == 0 && run.byteCount == 0)
      for payload in Self.payloads(0..<4) { run.append(payload) }
    }
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a]?.count == 12)
  }

  @Test mutating func whatFitsIsTakenAndTheRestStays() throws {
    till.room = [a: 1_000]
    var run = Self.run(Self.payloads(0..<150))
    let first = try outbox.send(&run, to: a, SendOptions(), within: till.capabilities)
    #expect(first == 100 && run.count == 50)
    let second = try outbox.send(&run, to: a, SendOptions(), within: till.capabilities)
    #expect(second == 0)
    reader.drain(into: &till, at: .zero)
    let third = try outbox.send(&run, to: a, SendOptions(), within: till.capabilities)
    #expect(third == 50 && run.count == 0)
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<150))
  }

  @Test mutating func aMessageLargerThanTheOutboxGoesAlone() throws {
    till.room = [a: 10]
    let large = Self.payloads(0..<2, size: 90_000)
    #expect(try send(large, to: a) == 1)
    #expect(try send(large, to: a) == 0)
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == [large[0]])
  }

  @Test mutating func aFullPeerHoldsUpNobodyElse() throws {
    till.room = [a: 3, b: 100]
    try send(Self.payloads(0..<10), to: a)
    try send(Self.payloads(0..<10), to: b)
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<3))
    #expect(till.taken[b] == Self.payloads(0..<10))
    // It takes no more before it has sent what it holds, and that goes on where it stood.
    #expect(try send(Self.payloads(10..<20), to: a) == 0)
    #expect(try send(Self.payloads(10..<20), to: b) == 10)
    till.room[a] = 4
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<7))
    #expect(try send(Self.payloads(10..<20), to: a) == 0)
    till.room[a] = 100
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<10))
    #expect(try send(Self.payloads(10..<20), to: a) == 10)
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<20))
    #expect(till.taken[b] == Self.payloads(0..<20))
  }

  @Test mutating func whatComesBehindHeldMessagesStaysBehindThem() throws {
    till.room = [a: 1]
    try send(Self.payloads(0..<2), to: a, SendOptions(channel: 1))
    try send(Self.payloads(2..<4), to: a, SendOptions(channel: 2))
    reader.drain(into: &till, at: .zero)
    till.room[a] = 2
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<3))
    till.room[a] = 2
    reader.drain(into: &till, at: .zero)
    #expect(till.taken[a] == Self.payloads(0..<4))
  }

  @Test mutating func whatIsForNobodyIsDroppedAndCounted() throws {
    till.room = [b: 10]
    try send(Self.payloads(0..<5), to: a)
    try send(Self.payloads(0..<5), to: b)
    reader.drain(into: &till, at: .zero)
    #expect(outbox.dropped == 5)
    #expect(till.taken[b]?.count == 5)
  }

  @Test func whatTheTransportCannotCarryIsRefused() {
    #expect(throws: SendError.tooLarge(size: 100_001, limit: 100_000)) {
      try send([[1], [UInt8](repeating: 0, count: 100_001)], to: a)
    }
    #expect(throws: SendError.noSuchChannel(4, count: 4)) {
      try send([[1]], to: a, SendOptions(channel: 4))
    }
  }

  @Test func theEndRefusesAndLetsAllGo() async throws {
    #expect(try send(Self.payloads(0..<200), to: a) == 100)
    let waiting = Task { [outbox, a] in await outbox.waitForRoom(for: a) }
    outbox.end()
    await waiting.value
    #expect(throws: SendError.closed) { try send([[1]], to: a) }
  }

  @Test mutating func whoWaitsIsToldOfRoom() async throws {
    till.room = [a: 1_000]
    #expect(try send(Self.payloads(0..<200), to: a) == 100)
    let waiting = Task { [outbox, a] in await outbox.waitForRoom(for: a) }
    await Task.yield()
    reader.drain(into: &till, at: .zero)
    await waiting.value
    #expect(try send([[1]], to: a) == 1)
  }

  @Test func whoIsCancelledWaitsNoMore() async throws {
    #expect(try send(Self.payloads(0..<200), to: a) == 100)
    let waiting = Task { [outbox, a] in await outbox.waitForRoom(for: a) }
    await Task.yield()
    waiting.cancel()
    await waiting.value
  }
}
