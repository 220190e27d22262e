import ChatTransport
import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// How a transport ends, and what it leaves behind.
  @Suite struct Ending {
    @Test func everythingEndsOnce() async throws {
      let (a, b) = try await Person.pair(at: Place())
      await a.close()
      await b.listener.wait(for: "the leaving") { $0.left == [.closedByThem] }
      await b.close()
      for (person, reason) in [(a, LeaveReason.closedByUs), (b, .closedByThem)] {
        let events = await person.listener.events
        #expect(events.joined.count == 1)
        #expect(events.left == [reason])
        #expect(events.closed == [.closedByUs])
        #expect(events.last == .closed(.closedByUs))
      }
    }

    @Test func closingAgainReturns() async throws {
      let alone = try Person(try Place().configuration())
      async let first: Void = alone.transport.close()
      async let second: Void = alone.transport.close()
      _ = await (first, second)
      await alone.transport.close()
      await alone.listener.waitForEnd()
      #expect(await alone.listener.events == [.closed(.closedByUs)])
    }

    @Test func closingWaitsForNoReader() async throws {
      let place = try Place()
      let unread = try UDPTransport(try place.configuration())
      let other = try Person(try place.configuration())
      _ = try await other.peer()
      // What has been answered has arrived, and so has what came before it.
      let receipt = try await other.transport.send([1], to: .everyone)
      await other.listener.wait(for: "the acknowledgement") { $0.acknowledged == [receipt.id] }
      await unread.close()
      var events: [TransportEvent] = []
      for await event in unread.events { events.append(event) }
      #expect(events.joined.count == 1)
      #expect(events.last == .closed(.closedByUs))
      await other.close()
    }

    @Test func withoutDiscoveryItEndsToo() async throws {
      var configuration = try Place().configuration()
      configuration.discovery.isEnabled = false
      let alone = try Person(configuration)
      await alone.close()
      #expect(await alone.listener.events == [.closed(.closedByUs)])
    }

    @Test func afterTheEndAllIsRefused() async throws {
      let (a, b) = try await Person.pair(at: Place())
      let peer = try await a.peer().id
      await a.close()
      await #expect(throws: SendError.closed) {
        try await a.transport.send([1], to: .everyone)
      }
      #expect(await a.transport.statistics(of: peer) == nil)
      await a.transport.disconnect(peer)
      let figures = await a.transport.perform(Counting())
      #expect(figures == TransportStatistics())
      #expect(await a.transport.driverStatistics.sockets.datagramsSent > 0)
      #expect(a.transport.capabilities == b.transport.capabilities)
      await b.close()
    }

    @Test func closingClosesTheSockets() async throws {
      let (a, b) = try await Person.pair(at: Place())
      let port = try await b.peer().address.port
      #expect(!Loopback.isFree(port))
      await a.transport.close()
      #expect(Loopback.isFree(port))
      await b.close()
    }

    @Test func whatIsLetGoEnds() async throws {
      let place = try Place()
      let b = try Person(try place.configuration())
      let (listener, port) = try await { () async throws in
        let a = try Person(try place.configuration())
        _ = try await a.peer()
        return (a.listener, try await b.peer().address.port)
      }()
      await listener.waitForEnd()
      #expect(await listener.events.closed == [.closedByUs])
      #expect(Loopback.isFree(port))
      await b.listener.wait(for: "the leaving") { $0.left == [.closedByThem] }
      await b.close()
    }
  }
}

private struct Counting: TransportOperation {
  func callAsFunction<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) -> TransportStatistics {
    transport.statistics
  }
}
