import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Those who speak another version of the protocol.
struct EndpointVersionTests {
  private let path = EndpointDriver.path(9)

  /// The name of the latest call among the datagrams that were sent.
  private func call(in sent: [(path: Path, bytes: [UInt8])]) -> ConnectionID? {
    guard let bytes = sent.last?.bytes,
      case .hello(let hello) = HandshakePacket(parsing: bytes.span)
    else { return nil }
    return hello.source
  }

  private func versions(_ destination: ConnectionID, _ versions: [UInt8]) -> HandshakePacket {
    .versions(HandshakePacket.Versions(destination: destination, versions: versions))
  }

  private func found(_ versions: [UInt8]) -> TransportEvent {
    .incompatible(IncompatibleVersion(remote: path.remote, theirs: versions, ours: 2))
  }

  private func told(_ events: [TransportEvent]) -> [TransportEvent] {
    events.filter { if case .incompatible = $0 { true } else { false } }
  }

  @Test("A named address that speaks other versions is told of once, and called again")
  func target() {
    var driver = EndpointDriver()
    driver.endpoint.connect(to: path, at: driver.now)
    var events: [TransportEvent] = []
    var calls = 0
    for step in 0..<400 {
      driver.now = .zero + .milliseconds(50) * Int64(step)
      driver.endpoint.advance(to: driver.now)
      let sent = driver.transmit()
      calls += sent.count
      if let source = call(in: sent) { driver.receive(versions(source, [3, 4]), on: path) }
      let new = driver.takeEvents()
      // Not before the call has had its time.
      if step < 5 { #expect(new.isEmpty) }
      events += new
    }
    #expect(told(events) == [found([3, 4])])
    #expect(calls > 5)
    let drops = driver.dropped(.otherVersion)
    #expect(drops == UInt64(calls))
  }

  @Test("A candidate too, when nothing else has come in its time")
  func candidate() throws {
    var driver = EndpointDriver()
    driver.endpoint.noteCandidate(
      EndpointDriver.incarnation(2), on: path, beaconSize: 160, at: driver.now)
    let sent = driver.transmit()
    let source = try #require(call(in: sent))
    driver.receive(versions(source, [1]), on: path)
    let isSilent = !driver.hasEvents
    #expect(isSilent)
    driver.now = driver.endpoint.deadline ?? driver.now
    driver.endpoint.advance(to: driver.now)
    let events = driver.takeEvents()
    #expect(events == [found([1])])
    let isOver = driver.endpoint.dials.isEmpty
    #expect(isOver)
  }

  @Test("A forged answer keeps nobody from a connection that comes about all the same")
  func forged() throws {
    var driver = EndpointDriver()
    driver.endpoint.connect(to: path, at: driver.now)
    let sent = driver.transmit()
    let source = try #require(call(in: sent))
    driver.receive(versions(source, [9]), on: path)
    let peer = EndpointDriver.incarnation(2)
    let cookie = CookieJar(key: Secret(1, 2), lifetime: .seconds(1)).cookie(
      for: source, of: driver.endpoint.local, at: path.remote, now: driver.now)
    driver.receive(
      .challenge(
        HandshakePacket.Challenge(destination: source, responder: peer, cookie: cookie)), on: path)
    // Behind the challenge it comes too late altogether.
    driver.receive(versions(source, [9]), on: path)
    driver.receive(
      .accept(
        HandshakePacket.Accept(
          destination: source, source: ConnectionID(rawValue: 7), responder: peer)), on: path)
    driver.receive(versions(source, [9]), on: path)
    driver.now = .zero + .seconds(3)
    driver.endpoint.advance(to: driver.now)
    let events = driver.takeEvents()
    let (peers, drops) = (driver.peerCount, driver.dropped(.unexpectedAnswer))
    #expect(peers == 1 && events.count == 1 && told(events).isEmpty && drops == 2)
  }

  @Test("An answer that names our version, or no call of ours, or comes from elsewhere is nothing")
  func unbelieved() throws {
    var driver = EndpointDriver()
    driver.endpoint.connect(to: path, at: driver.now)
    let sent = driver.transmit()
    let source = try #require(call(in: sent))
    driver.receive(versions(source, [1, 2, 3]), on: path)
    driver.receive(versions(ConnectionID(rawValue: source.rawValue ^ 1), [3]), on: path)
    driver.receive(versions(source, [3]), on: EndpointDriver.path(10))
    let drops = driver.dropped(.unexpectedAnswer)
    #expect(drops == 3)
    driver.now = .zero + .milliseconds(250)
    driver.endpoint.advance(to: driver.now)
    let events = told(driver.takeEvents())
    #expect(events.isEmpty)
  }

  @Test("A call in another version is answered with ours, in fewer bytes, and nothing is kept")
  func called() throws {
    var driver = EndpointDriver()
    var call = [UInt8](repeating: 0, count: 40)
    call.replaceSubrange(0..<10, with: [0xC0, 3, 1, 2, 3, 4, 5, 6, 7, 8])
    driver.receive(call, on: path)
    let sent = driver.transmit()
    #expect(sent.count == 1 && sent[0].path == path && sent[0].bytes.count < call.count)
    let source = ConnectionID(rawValue: 0x0102_0304_0506_0708)
    let bytes = sent[0].bytes
    let answer = HandshakePacket(parsing: bytes.span)
    #expect(answer == versions(source, [2]))
    let isBlank = driver.isBlank && driver.dropped(.otherVersion) == 1
    #expect(isBlank)
    // Neither what is no call, nor what is too small to be answered with less, nor such an answer.
    driver.receive([0xC1, 3] + call[2...], on: path)
    driver.receive(Array(call[..<10]), on: path)
    driver.receive(versions(source, [3]), on: path)
    let isSilent = driver.transmit().isEmpty && driver.isBlank
    #expect(isSilent)
  }
}
