import ChatTransport
import Foundation
import NetworkEmulator
import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// What the network does to a peer, and what must not end it.
  @Suite struct Hardship {
    @Test func peersConnectWithoutDiscovery() async throws {
      let place = try Place()
      var configuration = try place.configuration()
      configuration.discovery.isEnabled = false
      let called = try Person(configuration)
      configuration = try place.configuration()
      configuration.discovery.isEnabled = false
      configuration.connect = [Loopback.address(place.port + 1)]
      let caller = try Person(configuration)
      #expect(try await caller.peer().address == Loopback.address(place.port + 1))
      _ = try await called.peer()
      await caller.close()
      await called.close()
      #expect(await called.listener.events.left == [.closedByThem])
    }

    @Test func nobodyThereIsNoEnd() async throws {
      let place = try Place()
      var configuration = try place.configuration()
      configuration.connect = [Loopback.address(place.port + 17)]
      let caller = try Person(configuration)
      await caller.listener.wait(for: "another try") { $0.hasWaiting }
      let other = try Person(try place.configuration())
      _ = try await caller.peer()
      await caller.close()
      await other.close()
      #expect(await caller.listener.events.left == [.closedByUs])
    }

    // The system refuses both at once: nothing has port 0, and broadcast was not asked for.
    @Test(arguments: [
      (Loopback.address(0), [EINVAL]),
      // Without any network the second is not even looked at.
      (SocketAddress(ip: IPAddress(255, 255, 255, 255), port: 9), [EACCES, ENETUNREACH]),
    ])
    func whatCannotBeSentTouchesNothingElse(
      _ address: SocketAddress, _ possible: [Int32]
    ) async throws {
      let (a, b) = try await Person.pair(at: Place()) { $0.connect = [address] }
      await a.listener.wait(for: "another try") { $0.hasWaiting }
      try await a.say([1])
      #expect(await b.waitForMessages(1).map(\.payload) == [[1]])
      await a.close()
      await b.close()
      let errors = await a.transport.driverStatistics.sockets.sendErrors
      #expect(errors.count == 1 && errors.keys.allSatisfy(possible.contains))
      #expect(await a.listener.events.left == [.closedByUs])
    }

    @Test func theDeathOfOneDoesNotTouchTheOther() async throws {
      let place = try Place()
      var configuration = try place.configuration()
      configuration.datagram.idleTimeout = .milliseconds(1_500)
      configuration.datagram.keepaliveInterval = .milliseconds(300)
      let a = try Person(configuration)
      let mortal = try Mortal(try place.configuration())
      _ = try await a.peer()
      let b = try Person(try place.configuration())
      await a.listener.wait(for: "the other peer") { $0.joined.count == 2 }
      mortal.kill()
      for number in 0..<50 {
        try await a.say([UInt8(number)])
      }
      #expect(await b.waitForMessages(50).map(\.payload) == (0..<50).map { [UInt8($0)] })
      await a.listener.wait(for: "the time-out") { $0.left == [.timedOut] }
      try await a.say([99])
      #expect(await b.waitForMessages(51).last?.payload == [99])
      await a.close()
      await b.close()
    }

    @Test func lossDelaysAndLosesNothing() async throws {
      let setting = try ImpairmentSetting(parsing: "loss=20%,seed=7")
      let (a, b) = try await Person.pair(at: Place()) { $0.impairment = setting }
      let payloads = (0..<300).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      for payload in payloads { try await a.say(payload) }
      #expect(await b.waitForMessages(300).map(\.payload) == payloads)
      #expect(await (a.transport.driverStatistics.outgoingLink?.lost ?? 0) > 0)
      await a.close()
      await b.close()
    }

    @Test func noiseDoesNotDisturb() async throws {
      let (a, b) = try await Person.pair(at: Place())
      let target = try await b.peer().address
      let noise = try UDPSocket(
        UDPSocketConfiguration(family: .ipv4, address: Loopback.ipv4))
      var generator = SplitMix64(seed: 5)
      for number in 0..<40 {
        for _ in 0..<500 {
          var bytes = (0..<Int(generator.next() % 100)).map { _ in UInt8(generator.next() & 0xFF) }
          // Half of it looks like packets, handshakes and beacons at first sight.
          if generator.next() & 1 == 0, !bytes.isEmpty { bytes[0] |= 0x80 }
          noise.append(bytes.span, to: Path(remote: target))
        }
        _ = noise.flush()
        try await b.say([UInt8(number)])
      }
      #expect(await a.waitForMessages(40).map(\.payload) == (0..<40).map { [UInt8($0)] })
      #expect(await a.transport.driverStatistics.sockets.datagramsReceived > 1_000)
      await b.close()
      await a.close()
      #expect(await a.listener.events.left == [.closedByThem])
    }

    @Test func aSlowReaderLosesNothing() async throws {
      let place = try Place()
      var configuration = try place.configuration()
      configuration.datagram.maximumWaitingEvents = 64
      let slow = try UDPTransport(configuration)
      configuration = try place.configuration()
      configuration.datagram.sendQueueLimit = 4 << 20
      let fast = try UDPTransport(configuration)
      #expect(await fast.events.first { [$0].joined.count == 1 } != nil)
      let count = 20_000
      let payloads = (0..<count).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      for result in await fast.send(batch: payloads, to: .everyone) { _ = try result.get() }
      var acknowledgedCount = 0
      for await event in fast.events {
        acknowledgedCount += [event].acknowledgedCount
        if acknowledgedCount == TransportEvents.limit { break }
      }
      var received: [[UInt8]] = []
      var largest = 0
      while received.count < count {
        let batch = await slow.events.nextBatch()
        try #require(!batch.isEmpty)
        largest = max(largest, batch.count)
        received += batch.messages.map(\.payload)
      }
      #expect(received == payloads)
      #expect(largest <= TransportEvents.limit)
      await fast.close()
      await slow.close()
    }
  }
}
