import ChatTransport
import Primitives
import Testing

struct InMemoryTransportTests {
  @Test func bothSidesLearnOfEachOther() {
    let network = InMemoryNetwork()
    let path = Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 1), port: 7))
    var a = network.join(as: incarnation(1), path: path)
    var b = network.join()
    let known = PeerInformation(incarnation: incarnation(1), path: path)
    #expect(
      a.allEvents() == [.peerJoined(network.peerID(of: b, at: a)!, PeerInformation())])
    #expect(b.allEvents() == [.peerJoined(network.peerID(of: a, at: b)!, known)])
  }

  @Test(arguments: Delivery.allCases)
  func aMessageArrivesAsItWasSent(delivery: Delivery) throws {
    var pair = Pair()
    try pair.a.send("one", channel: 3, delivery)
    try pair.a.send("two", channel: 3, delivery)
    let messages = pair.b.allEvents()
    #expect(
      messages == [
        .message(
          ReceivedMessage(
            peer: pair.aAtB, channel: 3, delivery: delivery, sequence: 0,
            payload: Array("one".utf8))),
        .message(
          ReceivedMessage(
            peer: pair.aAtB, channel: 3, delivery: delivery, sequence: 1,
            payload: Array("two".utf8))),
      ])
  }

  @Test func aReliableMessageIsAcknowledgedWhenItIsPulled() throws {
    var pair = Pair()
    let receipt = try pair.a.send("held", .reliable)
    #expect(pair.a.allEvents() == [])
    _ = pair.b.nextEvent()
    #expect(pair.a.allEvents() == [.acknowledged(receipt.id, by: pair.bAtA)])
  }

  @Test func anUnreliableMessageIsNotAcknowledged() throws {
    var pair = Pair()
    try pair.a.send("perhaps", .unreliable)
    #expect(pair.b.allEvents().texts == ["perhaps"])
    #expect(pair.a.allEvents() == [])
  }

  @Test func everyoneGetsOneMessageOfOneName() throws {
    var pair = Pair()
    var c = pair.network.join()
    _ = (pair.a.allEvents(), pair.b.allEvents(), c.allEvents())
    let receipt = try pair.a.send("all", .reliable)
    #expect(receipt.recipients == 2)
    #expect(pair.b.allEvents().texts == ["all"])
    #expect(c.allEvents().texts == ["all"])
    #expect(
      pair.a.allEvents() == [
        .acknowledged(receipt.id, by: pair.bAtA),
        .acknowledged(receipt.id, by: pair.network.peerID(of: c, at: pair.a)!),
      ])
  }

  @Test func whatIsHeldComesInOrderAfterItsRelease() throws {
    var pair = Pair()
    pair.network.hold(from: pair.a, to: pair.b)
    for text in ["1", "2", "3"] { try pair.a.send(text) }
    #expect(pair.b.allEvents() == [])
    pair.network.release(from: pair.a, to: pair.b, next: 1)
    #expect(pair.b.allEvents().texts == ["1"])
    try pair.a.send("4")
    pair.network.release(from: pair.a, to: pair.b)
    try pair.a.send("5")
    #expect(pair.b.allEvents().texts == ["2", "3", "4", "5"])
  }

  @Test func whatIsLostShowsAsAGap() throws {
    var pair = Pair()
    pair.network.dropNext(2, from: pair.a, to: pair.b)
    for text in ["1", "2"] { try pair.a.send(text, .unreliable) }
    try pair.a.send("kept", .reliable)
    try pair.a.send("3", .unreliable)
    let events = pair.b.allEvents()
    #expect(events.texts == ["kept", "3"])
    #expect(
      events.contains(
        .gap(Gap(peer: pair.aAtB, channel: 0, delivery: .unreliable, missing: 0..<2))))
  }

  @Test func anOrderedStreamGivesMoreThanIsAskedFor() throws {
    var pair = Pair(.orderedStream)
    #expect(try pair.a.send("x", .unreliable).granted == .ordered)
    #expect(
      pair.b.allEvents() == [
        .message(
          ReceivedMessage(
            peer: pair.aAtB, channel: 0, delivery: .ordered, payload: Array("x".utf8)))
      ])
    #expect(pair.a.allEvents() == [])
    #expect(throws: SendError.unsupportedMaximumAge) {
      try pair.a.send("x", maximumAge: .seconds(1))
    }
  }

  @Test func sendingToNobodyKnownIsRefused() {
    var pair = Pair()
    let stranger = PeerID(rawValue: 99)
    #expect(throws: SendError.noSuchPeer(stranger)) { try pair.a.send("x", to: .peer(stranger)) }
  }

  @Test func statisticsCountBothWays() throws {
    var pair = Pair()
    try pair.a.send("12345", to: .peer(pair.bAtA))
    #expect(pair.a.statistics(of: pair.bAtA)?.sendQueueBytes == 5)
    _ = pair.b.allEvents()
    #expect(pair.a.statistics(of: pair.bAtA)?.messagesSent == 1)
    #expect(pair.a.statistics(of: pair.bAtA)?.sendQueueBytes == 0)
    #expect(pair.b.statistics(of: pair.aAtB)?.messagesReceived == 1)
    #expect(pair.a.statistics.messagesSent == 1)
    #expect(pair.b.statistics.messagesReceived == 1)
    #expect(pair.a.statistics(of: PeerID(rawValue: 99)) == nil)
  }

  @Test func aPlainDatagramIsHeard() {
    var pair = Pair()
    let message = PlainMessage(
      path: Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 9), port: 9)),
      payload: Array("msg:hi".utf8))
    pair.network.hear(message, at: pair.b)
    #expect(pair.b.allEvents() == [.plain(message)])
  }
}
