import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Datagrams in great numbers that ask for answers, or say that something is over.
struct HostileRateTests {
  private static func size(of sent: [[UInt8]]) -> Int { sent.reduce(0) { $0 + $1.count } }

  @Test("Calls in other versions are answered with less than they are, and leave nothing behind")
  func versions() {
    var driver = EndpointDriver()
    for number in 0..<UInt64(20_000) {
      var call = HandshakePacket.hello(
        HandshakePacket.Hello(
          source: ConnectionID(rawValue: number), dialler: EndpointDriver.incarnation(number),
          expected: nil, topics: [0])
      ).encoded()
      call[1] = UInt8(3 + number % 200)
      driver.receive(call, on: EndpointDriver.path(UInt32(number)))
      let sent = driver.transmit()
      if sent.count != 1 || sent[0].bytes.count >= call.count {
        Issue.record("\(sent.count) answers to call \(number)")
      }
    }
    let (count, isBlank) = (driver.endpoint.drops[.otherVersion], driver.isBlank)
    #expect(count == 20_000 && isBlank)
  }

  @Test("Forged answers about versions do not end a call, nor a connection")
  func versionAnswers() {
    var peer = HostilePeer()
    let target = EndpointDriver.path(9)
    peer.driver.endpoint.connect(to: target, at: peer.driver.now)
    _ = peer.driver.transmit()
    let dials = peer.driver.endpoint.dials.count
    #expect(dials == 1)
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let answer = HandshakePacket.versions(
        .init(destination: ConnectionID(rawValue: generator.next()), versions: [9]))
      for path in [target, peer.path] { peer.driver.receive(answer, on: path) }
    }
    let (isConnected, left) = (peer.isConnected, peer.driver.endpoint.dials.count)
    #expect(isConnected && left == dials)
    let (count, sent) = (peer.drops(.unexpectedAnswer), peer.driver.transmit().count)
    #expect(count == 40_000 && sent == 0)
  }

  @Test("Resets with guessed identifiers, and genuine ones from elsewhere, are not believed")
  func resets() {
    var peer = HostilePeer()
    var generator = SplitMix64(seed: 1)
    let remote = EndpointDriver.incarnation(3)
    for number in 0..<UInt64(20_000) {
      let guess = ConnectionID(rawValue: number < 64 ? 3 ^ 1 << number : generator.next())
      peer.driver.receive(.reset(.init(sender: remote, destination: guess)), on: peer.path)
      // The peer calls the connection 3.
      peer.driver.receive(
        .reset(.init(sender: remote, destination: ConnectionID(rawValue: 3))),
        on: EndpointDriver.path(UInt32(1_000 + number)))
    }
    let (isConnected, count) = (peer.isConnected, peer.drops(.badReset))
    #expect(isConnected && count == 40_000)
    let sent = peer.driver.transmit().count
    #expect(sent == 0)
    // The genuine one from where the peer is: that he has lost the connection.
    peer.driver.receive(
      .reset(.init(sender: remote, destination: ConnectionID(rawValue: 3))), on: peer.path)
    let isThere = peer.isConnected
    #expect(!isThere)
  }

  @Test("Packets for connections that are not there bring 50 resets a second, whoever sends them")
  func unknownConnections() {
    var peer = HostilePeer()
    var generator = SplitMix64(seed: 1)
    var resets = 0
    for number in 0..<UInt64(50_000) {
      let header = PacketHeader(
        destination: ConnectionID(rawValue: generator.next()), number: 0, largestAcknowledged: nil)
      let packet = WireBytes.written { header.emit(into: &$0) } + [UInt8](repeating: 1, count: 30)
      peer.driver.receive(packet, on: EndpointDriver.path(UInt32(1_000 + number)))
      if number % 5 == 4 {
        let sent = peer.pass(.milliseconds(1))
        resets += sent.count {
          if case .reset = HandshakePacket(parsing: $0.span) { true } else { false }
        }
      }
    }
    // Ten seconds, and those of the first moment.
    #expect((400...(10 * 50 + 50)).contains(resets))
    let isConnected = peer.isConnected
    #expect(isConnected)
  }

  @Test("Who asks for an acknowledgement with each packet gets no more packets than he sends")
  func pings() {
    var peer = HostilePeer()
    var sent = 0
    for _ in 0..<20_000 {
      peer.send([Frame.Kind.ping])
      sent += peer.pass(.microseconds(10)).count
    }
    #expect(sent <= 20_000)
    let ranges = peer.driver.endpoint.connections[0].received.ranges.count
    #expect(ranges <= 64)
  }

  @Test("Who leaves a hole after each packet makes us remember 64 of them")
  func holes() {
    var peer = HostilePeer()
    for number in UInt64(0)..<5_000 {
      peer.skipNumber()
      peer.send([Frame.Kind.ping])
      if number % 8 == 0 { _ = peer.pass(.microseconds(10)) }
    }
    let ranges = peer.driver.endpoint.connections[0].received.ranges.count
    #expect((1...64).contains(ranges))
  }

  @Test(
    "Who lives and acknowledges nothing holds a full queue, and is sent next to nothing",
    arguments: [Delivery.ordered, .reliable])
  func noAcknowledgements(delivery: Delivery) {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = 200_000
    var peer = HostilePeer(3, configuration)
    let payload = [UInt8](repeating: 1, count: 1_000)
    var most = 0
    var late = 0
    for second in 0..<60 {
      for _ in 0..<20 {
        _ = try? peer.driver.endpoint.send(
          payload.span, to: .everyone, SendOptions(delivery: delivery), at: peer.driver.now)
      }
      most = max(most, peer.queuedBytes)
      peer.send([Frame.Kind.ping])
      let sent = peer.pass(.seconds(1))
      if second >= 30 { late += Self.size(of: sent) }
      _ = peer.driver.takeEvents()
    }
    let isConnected = peer.isConnected
    #expect(isConnected)
    #expect(most > 150_000 && most <= 200_000)
    // Probes, twice a second at most, two datagrams each; and answers to his pings.
    #expect(late < 30 * 5 * ProtocolLimits.baseDatagramSize, "\(late) bytes")
  }

  @Test("Used from 10,000 addresses a connection stays where it was, and none of them gets much")
  func wandering() {
    var peer = HostilePeer()
    // Large enough to be answered with a probe.
    let frames = [UInt8](repeating: Frame.Kind.padding, count: 20) + [Frame.Kind.ping]
    var probes = 0
    // Twice from each, as a path is known only after it was probed.
    for number in UInt32(0)..<20_000 {
      let path = EndpointDriver.path(1_000 + number / 2)
      let size = peer.send(frames, on: path)
      let sent = peer.driver.transmit().filter { $0.path.remote == path.remote }
      probes += sent.count
      let answered = Self.size(of: sent.map(\.bytes))
      if answered > 3 * size { Issue.record("\(answered) bytes for \(size)") }
    }
    #expect(probes == 10_000)
    let paths = peer.driver.endpoint.connections[0].paths
    let isWhereItWas = paths.current.remote == peer.path.remote
    #expect(paths.validated.count == 1 && isWhereItWas)
  }
}
