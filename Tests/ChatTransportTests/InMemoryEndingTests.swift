import ChatTransport
import Testing

struct InMemoryEndingTests {
  @Test func disconnectingTellsBothSides() throws {
    var pair = Pair()
    let receipt = try pair.a.send("late", .reliable)
    pair.a.disconnect(pair.bAtA, at: .zero)
    #expect(
      pair.a.allEvents() == [
        .givenUp(receipt.id, to: pair.bAtA, .connectionEnded),
        .peerLeft(pair.bAtA, .closedByUs),
      ])
    let events = pair.b.allEvents()
    #expect(events.texts == ["late"])
    #expect(events.last == .peerLeft(pair.aAtB, .closedByThem))
    #expect(pair.a.allEvents() == [])
  }

  @Test func closingEndsWithClosed() {
    var pair = Pair()
    pair.a.close(at: .zero)
    pair.a.close(at: .zero)
    #expect(
      pair.a.allEvents() == [.peerLeft(pair.bAtA, .closedByUs), .closed(.closedByUs)])
    #expect(pair.b.allEvents() == [.peerLeft(pair.aAtB, .closedByThem)])
    #expect(throws: SendError.closed) { try pair.a.send("x") }
    pair.network.connect(pair.a, pair.b)
    #expect(pair.b.allEvents() == [])
  }

  @Test func aPulledCableIsATimeOutOnBothSides() {
    var pair = Pair()
    pair.network.sever(pair.a, pair.b)
    #expect(pair.a.allEvents() == [.peerLeft(pair.bAtA, .timedOut)])
    #expect(pair.b.allEvents() == [.peerLeft(pair.aAtB, .timedOut)])
  }

  @Test func whoComesBackIsANewPeer() {
    var pair = Pair()
    pair.network.sever(pair.a, pair.b)
    pair.network.connect(pair.a, pair.b)
    let again = pair.network.peerID(of: pair.b, at: pair.a)
    #expect(again != nil && again != pair.bAtA)
    #expect(pair.a.allEvents().count == 2)
  }

  @Test func aFailureIsTold() {
    var pair = Pair()
    pair.network.fail(pair.a, "no network")
    #expect(
      pair.a.allEvents() == [.peerLeft(pair.bAtA, .timedOut), .closed(.failed("no network"))])
  }
}
