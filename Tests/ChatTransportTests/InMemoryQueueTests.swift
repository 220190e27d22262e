import ChatTransport
import Primitives
import Testing

struct InMemoryQueueTests {
  @Test func aFullQueueRefusesUntilThereIsRelief() throws {
    var pair = Pair(limits: InMemoryQueueLimits(messages: 4))
    for _ in 0..<4 { try pair.a.send("x", to: .peer(pair.bAtA), .unreliable) }
    #expect(pair.a.allEvents() == [.pressure(pair.bAtA)])
    #expect(throws: SendError.wouldBlock(pair.bAtA)) {
      try pair.a.send("x", to: .peer(pair.bAtA))
    }
    for _ in 0..<3 { _ = pair.b.nextEvent() }
    #expect(pair.a.allEvents() == [.relief(pair.bAtA)])
    try pair.a.send("x", to: .peer(pair.bAtA))
  }

  @Test func bytesFillAQueueToo() throws {
    var pair = Pair(limits: InMemoryQueueLimits(bytes: 8))
    try pair.a.send("12345", to: .peer(pair.bAtA))
    #expect(throws: SendError.wouldBlock(pair.bAtA)) {
      try pair.a.send("6789", to: .peer(pair.bAtA))
    }
    try pair.a.send("678", to: .peer(pair.bAtA))
  }

  @Test func oneFullQueueDoesNotHoldTheOthers() throws {
    var pair = Pair(limits: InMemoryQueueLimits(messages: 1))
    var c = pair.network.join()
    _ = c.allEvents()
    try pair.a.send("only b", to: .peer(pair.bAtA), .unreliable)
    _ = pair.a.allEvents()
    let receipt = try pair.a.send("all", .reliable)
    #expect(receipt.recipients == 1)
    #expect(pair.a.allEvents().contains(.givenUp(receipt.id, to: pair.bAtA, .queueFull)))
    #expect(c.allEvents().texts == ["all"])
    #expect(pair.b.allEvents().texts == ["only b"])
  }

  @Test func whatIsTooOldIsGivenUp() throws {
    var pair = Pair()
    pair.network.hold(from: pair.a, to: pair.b)
    let old = try pair.a.send("old", .reliable, maximumAge: .milliseconds(50))
    try pair.a.send("young", .reliable)
    #expect(pair.a.deadline == .zero + .milliseconds(50))
    pair.a.advance(to: .zero + .milliseconds(49))
    #expect(pair.a.allEvents() == [])
    pair.a.advance(to: .zero + .milliseconds(50))
    #expect(pair.a.allEvents() == [.givenUp(old.id, to: pair.bAtA, .tooOld)])
    #expect(pair.a.deadline == nil)
    pair.network.release(from: pair.a, to: pair.b)
    #expect(pair.b.allEvents().texts == ["young"])
  }
}
