import ChatRoom
import ChatTransport
import Primitives
import Testing

struct ChatSessionTests {
  typealias Session = ChatSession<InMemoryAsynchronousTransport>

  func session(_ loop: InMemoryLoop, _ number: UInt64, eventLimit: Int = 100) async -> Session {
    let transport = await loop.join(as: incarnation(number))
    return Session(over: transport, self: incarnation(number), eventLimit: eventLimit) {
      interval in await loop.advance(by: interval)
    }
  }

  @Test func peopleMeetTalkAndLeave() async throws {
    let loop = InMemoryLoop()
    let luke = await session(loop, 1)
    let leia = await session(loop, 2)
    try await luke.join(as: "Luke")
    try await leia.join(as: "Leia")
    var heard = luke.events.makeAsyncIterator()
    guard case .joined(let member) = await heard.next() else {
      Issue.record("Leia has not joined")
      return
    }
    #expect(member.name == "Leia")
    #expect(await luke.members == [member])
    let id = try await leia.say("Hey")
    guard case .message(let message) = await heard.next() else {
      Issue.record("nothing was heard")
      return
    }
    #expect(message.id == id)
    #expect(message.text == "Hey")
    await leia.leave()
    #expect(await heard.next() == .left(member, .closedByThem))
    await luke.leave()
    #expect(await heard.next() == .closed(.closedByUs))
    #expect(await heard.next() == nil)
    var story: [String] = []
    for await event in leia.events { story += [event].story }
    #expect(story == ["+Luke", "-Luke closedByUs", "closed"])
  }

  @Test func errorsReachTheCaller() async throws {
    let loop = InMemoryLoop()
    let luke = await session(loop, 1)
    await #expect(throws: SayError.notJoined) { try await luke.say("x") }
    await #expect(throws: JoinError.invalidName(.containsColon(at: 1))) {
      try await luke.join(as: "a:b")
    }
  }

  @Test func timersRunWithoutAnyEvent() async throws {
    let loop = InMemoryLoop()
    let leia = await session(loop, 2)
    let luke = await loop.join(as: incarnation(1))
    let options = SendOptions(channel: 1, delivery: .reliable)
    _ = try await luke.send(
      [1, 0] + encoded(record(.iam, by: incarnation(1), 0)), to: .everyone, options)
    _ = try await luke.send(
      [2] + encoded(record(by: incarnation(1), 2, isUnreliable: true)), to: .everyone, options)
    var heard = leia.events.makeAsyncIterator()
    var story: [String] = []
    for _ in 0..<3 { story += [await heard.next()].compactMap { $0 }.story }
    #expect(story == ["+Luke", "Luke: Hey", "Luke lost 1..<2"])
  }

  @Test func aReaderThatIsTooSlowLosesTheOldestEvents() async throws {
    let loop = InMemoryLoop()
    let luke = await session(loop, 1)
    let leia = await session(loop, 2, eventLimit: 2)
    try await luke.join(as: "Luke")
    try await leia.join(as: "Leia")
    var heard = luke.events.makeAsyncIterator()
    _ = await heard.next()
    for text in ["1", "2", "3"] { try await luke.say(text) }
    await luke.leave()
    await leia.leave()
    // Six events: Luke joins, says three lines and leaves, and the end.
    while await leia.droppedEvents < 4 { await Task.yield() }
    var story: [String] = []
    for await event in leia.events { story += [event].story }
    #expect(story == ["-Luke closedByThem", "closed"])
  }
}
