import ChatTransport
import SocketDriver
import Testing

@testable import UDPTransport

struct TransportEventsTests {
  static func events(_ numbers: Range<Int>) -> [TransportEvent] {
    numbers.map { .pressure(PeerID(rawValue: UInt64($0))) }
  }

  @Test func eventsComeInOrderUpToTheEnd() async {
    let events = TransportEvents {}
    events.append(Self.events(0..<3))
    events.append(Self.events(3..<5))
    events.end()
    var read: [TransportEvent] = []
    for await event in events { read.append(event) }
    #expect(read == Self.events(0..<5))
  }

  @Test func aReaderThatWaitsIsWoken() async {
    let events = TransportEvents {}
    async let first = events.first { _ in true }
    await Task.yield()
    events.append(Self.events(0..<1))
    #expect(await first == Self.events(0..<1)[0])
    async let batch = events.nextBatch()
    await Task.yield()
    events.append(Self.events(1..<4))
    #expect(await batch == Self.events(1..<4))
    async let end = events.first { _ in true }
    await Task.yield()
    events.end()
    #expect(await end == nil)
    #expect(await events.nextBatch().isEmpty)
  }

  @Test func theNextReaderGetsTheRest() async {
    let events = TransportEvents {}
    events.append(Self.events(0..<5))
    events.end()
    for await _ in events { break }
    #expect(await events.first { _ in true } == Self.events(1..<2)[0])
    #expect(await events.nextBatch() == Self.events(2..<5))
  }

  @Test func aCancelledReaderLeavesEverything() async {
    let events = TransportEvents {}
    let reader = Task { await events.nextBatch() }
    await Task.yield()
    reader.cancel()
    #expect(await reader.value.isEmpty)
    events.append(Self.events(0..<2))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await events.first { _ in true }
    }
    #expect(await late.value == nil)
    events.end()
    #expect(await events.nextBatch() == Self.events(0..<2))
  }

  @Test func aReaderThatCatchesUpLetsTheTransportGoOn() async {
    let calls = Locked(0)
    let events = TransportEvents { calls.withLock { $0 += 1 } }
    let limit = TransportEvents.limit
    events.append(Self.events(0..<(limit - 1)))
    #expect(events.admitsMore())
    events.append(Self.events(0..<1))
    #expect(!events.admitsMore())
    var iterator = events.makeAsyncIterator()
    for _ in 0..<(limit / 2 - 1) { _ = await iterator.next() }
    #expect(calls.withLock { $0 } == 0)
    _ = await iterator.next()
    #expect(calls.withLock { $0 } == 1)
    while await events.nextBatch().count < limit / 2 {}
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func nobodyIsToldWhoWasNotHeldUp() async {
    let calls = Locked(0)
    let events = TransportEvents { calls.withLock { $0 += 1 } }
    events.append(Self.events(0..<(TransportEvents.limit + 10)))
    #expect(await events.nextBatch().count == TransportEvents.limit + 10)
    #expect(calls.withLock { $0 } == 0)
  }

  @Test("a reader gets all that waits in one batch, and is told of the end")
  func readingIntoABatch() async {
    let events = TransportEvents {}
    events.append([Self.message(size: 1)])
    events.append([Self.message(size: 2)])
    events.end()
    var batch = EventBatch()
    var sizes: [Int] = []
    #expect(await events.read(into: &batch))
    #expect(batch.readMessages { payload, _ in sizes.append(payload.count) } == 2)
    #expect(sizes == [1, 2])
    #expect(await !events.read(into: &batch))
  }

  @Test("a few large messages hold the transport up as many small ones do")
  func bytesAreLimited() async {
    let hasGoneOn = Locked(false)
    let events = TransportEvents { hasGoneOn.withLock { $0 = true } }
    events.append([Self.message(size: TransportEvents.byteLimit / 2)])
    #expect(events.admitsMore())
    events.append([Self.message(size: TransportEvents.byteLimit / 2)])
    #expect(!events.admitsMore())
    var iterator = events.makeAsyncIterator()
    _ = await iterator.next()
    _ = await iterator.next()
    #expect(hasGoneOn.withLock { $0 } && events.admitsMore())
  }

  private static func message(size: Int) -> TransportEvent {
    .message(
      ReceivedMessage(
        peer: PeerID(rawValue: 1), channel: 0, delivery: .ordered, sequence: 0,
        payload: [UInt8](repeating: 1, count: size)))
  }
}
