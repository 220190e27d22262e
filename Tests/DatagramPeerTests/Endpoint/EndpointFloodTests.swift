import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Strangers in great numbers, none of whom receives what is sent to him.
struct EndpointFloodTests {
  private func hello(_ number: UInt64) -> HandshakePacket {
    .hello(
      HandshakePacket.Hello(
        source: ConnectionID(rawValue: number), dialler: EndpointDriver.incarnation(number + 100),
        expected: nil, topics: [0]))
  }

  private func open(_ number: UInt64, cookie: Cookie) -> HandshakePacket {
    .open(
      HandshakePacket.Open(
        source: ConnectionID(rawValue: number), dialler: EndpointDriver.incarnation(number + 100),
        responder: EndpointDriver.incarnation(5), cookie: cookie, topics: [0]))
  }

  @Test("50,000 hellos from as many addresses leave nothing behind")
  func hellos() {
    var driver = EndpointDriver()
    var answers = 0
    for number in 0..<UInt64(50_000) {
      driver.receive(hello(number), on: EndpointDriver.path(UInt32(number)))
      let sent = driver.transmit()
      answers += sent.count
      if number % 1_000 == 0 {
        #expect(sent.map(\.bytes.count) == [46])
        #expect(sent.first?.path == EndpointDriver.path(UInt32(number)))
      }
    }
    #expect(answers == 50_000)
    let isBlank = driver.isBlank
    #expect(isBlank && driver.endpoint.handshakes.isEmpty)
  }

  @Test("Where nothing can be sent, the answers do not pile up")
  func unsent() {
    var driver = EndpointDriver()
    for number in 0..<UInt64(5_000) {
      driver.receive(hello(number), on: EndpointDriver.path(UInt32(number)))
    }
    #expect(driver.endpoint.handshakes.count == 1_024)
    #expect(driver.transmit().count == 1_024)
    #expect(driver.transmit().isEmpty)
  }

  @Test("50,000 opens with bad cookies leave nothing behind and get no answer")
  func opens() {
    var driver = EndpointDriver()
    driver.now = .zero + .seconds(100)
    let path = EndpointDriver.path(1)
    driver.receive(hello(1), on: path)
    let answer = driver.transmit().first.flatMap { HandshakePacket(parsing: $0.bytes.span) }
    guard case .challenge(let challenge) = answer else {
      Issue.record("no challenge")
      return
    }
    var generator = SplitMix64(seed: 1)
    var count: UInt64 = 0
    for number in 0..<UInt64(49_997) {
      var cookie = challenge.cookie
      // Random ones; near misses; and the genuine one, which is another's, or from elsewhere.
      switch number % 3 {
      case 0: cookie.tag = generator.next()
      case 1: cookie.tag ^= 1 << (number % 64)
      default: break
      }
      let isOther = number % 3 == 2
      driver.receive(
        open(isOther ? number + 2 : 1, cookie: cookie),
        on: EndpointDriver.path(isOther && number % 2 == 0 ? UInt32(number + 2) : 1))
      count += 1
    }
    // The right one from the wrong port, and when its time is over.
    driver.receive(open(1, cookie: challenge.cookie), on: EndpointDriver.path(1, port: 9))
    driver.now = driver.now + .seconds(11)
    driver.receive(open(1, cookie: challenge.cookie), on: path)
    #expect(driver.transmit().isEmpty)
    #expect(driver.endpoint.drops[.badCookie] == count + 2)
    let isBlank = driver.isBlank
    #expect(isBlank)
  }

  @Test("Answers to nothing are dropped")
  func answers() {
    var driver = EndpointDriver()
    let peer = EndpointDriver.incarnation(3)
    var generator = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let id = ConnectionID(rawValue: generator.next())
      let path = EndpointDriver.path(UInt32(truncatingIfNeeded: generator.next() & 0xFF_FFFF))
      driver.receive(
        .challenge(
          HandshakePacket.Challenge(
            destination: id, responder: peer, cookie: Cookie(issuedAt: 0, tag: generator.next()))),
        on: path)
      driver.receive(
        .accept(
          HandshakePacket.Accept(
            destination: id, source: ConnectionID(rawValue: generator.next()), responder: peer)),
        on: path)
      let probe = HandshakePacket.Probe(
        sender: peer, nonce: generator.next(), tag: generator.next())
      driver.receive(.probe(probe), on: path)
      driver.receive(.probeReply(probe), on: path)
    }
    #expect(driver.endpoint.drops[.unexpectedAnswer] == 4_000)
    #expect(driver.endpoint.drops[.badProbe] == 4_000)
    #expect(driver.transmit().isEmpty)
    let isBlank = driver.isBlank
    #expect(isBlank)
  }

  @Test("A flood of candidates is answered with a hello each, and remembered in 64 places")
  func candidates() {
    var driver = EndpointDriver(1 << 40)
    for number in 0..<UInt64(10_000) {
      driver.endpoint.noteCandidate(
        EndpointDriver.incarnation(number), on: EndpointDriver.path(UInt32(number)),
        beaconSize: 160, at: driver.now)
      #expect(driver.transmit().count == 1)
      driver.now = driver.now + .microseconds(100)
      driver.endpoint.advance(to: driver.now)
    }
    #expect(driver.endpoint.dials.count == 64)
    driver.now = driver.now + .seconds(2)
    driver.endpoint.advance(to: driver.now)
    let isBlank = driver.isBlank
    #expect(isBlank)
  }
}
