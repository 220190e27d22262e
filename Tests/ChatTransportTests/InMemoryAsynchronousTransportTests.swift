import ChatTransport
import Primitives
import Testing

struct InMemoryAsynchronousTransportTests {
  @Test func messagesComeInOrderAndTheEventsEnd() async throws {
    let loop = InMemoryLoop()
    let a = await loop.join(as: incarnation(1))
    let b = await loop.join(as: incarnation(2))
    let receipt = try await a.send(Array("one".utf8), to: .everyone)
    let results = await a.send(batch: [Array("two".utf8), Array("three".utf8)], to: .everyone)
    #expect(receipt.recipients == 1)
    #expect(results.count == 2)
    await a.close()
    await b.close()
    var events: [TransportEvent] = []
    for await event in b.events { events.append(event) }
    #expect(events.texts == ["one", "two", "three"])
    #expect(events.last == .closed(.closedByUs))
    #expect(events.dropLast().last == .peerLeft(PeerID(rawValue: 1), .closedByThem))
  }

  @Test func eachOfABatchHasItsOwnResult() async {
    let loop = InMemoryLoop()
    let a = await loop.join()
    let large = [UInt8](repeating: 0, count: 70_000)
    let results = await a.send(batch: [[1], large, [2]], to: .everyone)
    #expect(
      results.map { (try? $0.get()) != nil } == [true, false, true])
    await #expect(throws: SendError.tooLarge(size: 70_000, limit: 65_536)) {
      try await a.send(large, to: .everyone)
    }
  }

  @Test func disconnectingAndFiguresWork() async throws {
    let loop = InMemoryLoop()
    let a = await loop.join()
    let b = await loop.join()
    let peer = PeerID(rawValue: 1)
    _ = try await a.send([1], to: .peer(peer))
    #expect(await a.statistics(of: peer)?.messagesSent == 1)
    await a.disconnect(peer)
    #expect(await a.statistics(of: peer) == nil)
    await b.close()
    var events: [TransportEvent] = []
    for await event in b.events { events.append(event) }
    #expect(events.contains(.peerLeft(peer, .closedByThem)))
  }

  @Test func timePassesOnlyWhenToldTo() async throws {
    let loop = InMemoryLoop()
    let a = await loop.join()
    _ = await loop.join()
    await loop.control { network, ends in network.hold(from: ends[0], to: ends[1]) }
    let receipt = try await a.send(
      [1], to: .everyone, SendOptions(delivery: .reliable, maximumAge: .seconds(1)))
    await loop.advance(to: .zero + .seconds(1))
    await a.close()
    var events: [TransportEvent] = []
    for await event in a.events { events.append(event) }
    #expect(events.contains(.givenUp(receipt.id, to: PeerID(rawValue: 1), .tooOld)))
  }
}
