import ChatTransport
import Primitives
import Testing
import UDPTransport

extension UDPTransportTests {
  /// Two peers that find each other by multicast.
  @Suite struct Talk {
    @Test func peersFindEachOther() async throws {
      let place = try Place()
      let (a, b) = try await Person.pair(at: place)
      #expect(await a.listener.events.joined.count == 1)
      #expect(await b.listener.events.joined.count == 1)
      #expect(try await a.peer().address.ip == Loopback.ipv4)
      let ports = [try await a.peer().address.port, try await b.peer().address.port]
      #expect(Set(ports) == [place.port + 1, place.port + 2])
      await a.close()
      await b.close()
    }

    @Test func othersAreNotSeen() async throws {
      let place = try Place()
      let stranger = try Person(
        try place.configuration(topic: .init(hash: place.topic.hash &+ 1)))
      let (a, b) = try await Person.pair(at: place)
      #expect(await a.listener.events.joined.count == 1)
      await a.close()
      await b.close()
      await stranger.close()
      #expect(await stranger.listener.events == [.closed(.closedByUs)])
    }

    @Test(arguments: Delivery.allCases)
    func messagesOfEveryKindArrive(_ delivery: Delivery) async throws {
      let (a, b) = try await Person.pair(at: Place())
      let options = SendOptions(channel: 3, delivery: delivery)
      let receipt = try await a.transport.send([1, 2, 3], to: .everyone, options)
      #expect(receipt.granted == delivery)
      #expect(receipt.recipients == 1)
      let messages = await b.waitForMessages(1)
      #expect(
        messages == [
          ReceivedMessage(
            peer: try await b.peer().id, channel: 3, delivery: delivery,
            sequence: delivery == .reliable ? nil : 0, payload: [1, 2, 3])
        ])
      if delivery.isReliable {
        await a.listener.wait(for: "the acknowledgement") { $0.acknowledged == [receipt.id] }
      }
      await a.close()
      await b.close()
      #expect(await a.listener.events.acknowledgedCount == (delivery.isReliable ? 1 : 0))
    }

    @Test func aBatchArrivesInOrder() async throws {
      let (a, b) = try await Person.pair(at: Place())
      let payloads = (0..<500).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let peer = try await a.peer().id
      let results = await a.transport.send(batch: payloads, to: .peer(peer))
      #expect(results.count == 500)
      #expect(throws: Never.self) { for result in results { _ = try result.get() } }
      #expect(await b.waitForMessages(500).map(\.payload) == payloads)
      await a.listener.wait(for: "all acknowledgements") { $0.acknowledgedCount == 500 }
      let figures = try #require(await a.transport.statistics(of: peer))
      #expect(figures.messagesSent == 500)
      #expect(figures.roundTripTime != nil)
      await a.close()
      await b.close()
    }

    @Test func aDisconnectedPeerLeaves() async throws {
      let (a, b) = try await Person.pair(at: Place())
      await a.transport.disconnect(try await a.peer().id)
      await b.listener.wait(for: "the leaving") { $0.left == [.closedByThem] }
      #expect(await a.listener.events.left == [.closedByUs])
      await a.close()
      await b.close()
    }
  }
}
