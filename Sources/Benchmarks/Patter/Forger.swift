import ChatTransport
import DatagramPeer
import Primitives

/// Somebody with any number of addresses, and the endpoint that he bothers. His packets are written
/// by hand, after the tables of Docs/WireFormat.md.
struct Forger: ~Copyable {
  private(set) var bytesIn = 0
  private(set) var bytesOut = 0
  /// Connections that were opened with a genuine cookie, and never confirmed.
  private(set) var opened = 0

  private var endpoint = DatagramEndpoint(
    configuration: DatagramConfiguration(),
    local: Incarnation(identity: Identity(high: 1, low: 1), epoch: 1), secret: Secret(1, 2))
  private var now = Instant.zero + .seconds(100)
  private var random = SplitMix64(seed: 1)
  private var packet: [UInt8] = []
  private var answer: [UInt8] = []

  private static let versionTwo: UInt8 = 2
  /// Where the responder stands in a challenge, and the cookie behind it; they follow each other in
  /// an open as well.
  private static let responderAndCookie = 10..<46

  /// One of each kind in turn.
  mutating func attempt(_ number: Int, after interval: Interval) {
    now = now + interval
    if let deadline = endpoint.deadline, deadline <= now { endpoint.advance(to: now) }
    let path = path(number)
    switch number % 5 {
    case 0:
      writeHello(number, version: Self.versionTwo)
      exchange(on: path)
    case 1:
      // He does receive at his address: the cookie is the one that he was given.
      writeHello(number, version: Self.versionTwo)
      exchange(on: path)
      guard answer.count == Self.responderAndCookie.upperBound else { return }
      writeOpen(number, Array(answer[Self.responderAndCookie]))
      exchange(on: path)
      opened += answer.isEmpty ? 0 : 1
    case 2:
      writeOpen(number, [UInt8](repeating: 0, count: 15) + [1] + noise(20))
      exchange(on: path)
    case 3:
      // A ping for a connection that he guesses.
      packet = [0x82] + noise(8) + [0, 0, 9, 1] + [UInt8](repeating: 0, count: 40)
      exchange(on: path)
    default:
      writeHello(number, version: 9)
      exchange(on: path)
    }
  }

  /// Whether there is no trace of anybody after a while.
  mutating func isBlankAtTheEnd() -> Bool {
    now = now + .seconds(30)
    endpoint.advance(to: now)
    exchange(on: nil)
    return endpoint.peerCount == 0 && endpoint.deadline == nil && !endpoint.hasEvents
  }

  // MARK: Packets

  private func path(_ number: Int) -> Path {
    let ip =
      number % 2 == 0
      ? IPAddress(ipv4: 0x0A00_0000 | UInt32(truncatingIfNeeded: number) & 0xFF_FFFF)
      : IPAddress(ipv6High: 0xFD00 << 48, low: UInt64(number))
    return Path(
      remote: SocketAddress(ip: ip, port: UInt16(truncatingIfNeeded: 1_024 + number % 60_000)))
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private mutating func writeHello(_ number: Int, version: UInt8) {
    packet = [0xC0, version] + caller(number)
    packet.append(contentsOf: repeatElement(0, count: 24))
    packet += [1] + [UInt8](repeating: 0, count: 8)
  }

  private mutating func writeOpen(_ number: Int, _ responderAndCookie: [UInt8]) {
    packet = [0xC2, Self.versionTwo] + caller(number) + responderAndCookie
    packet += [1] + [UInt8](repeating: 0, count: 8)
  }

  /// His name for the connection, his identity and his epoch.
  private func caller(_ number: Int) -> [UInt8] {
    [UInt8](capacity: 32) { output in
      for word in [UInt64(number) + 7, 9, UInt64(number) + 100, 1] {
        for shift in stride(from: 56, through: 0, by: -8) {
          output.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
    }
  }

  /// Hands the packet over, and takes what is sent because of it.
  private mutating func exchange(on path: Path?) {
    if let path {
      let packet = packet
      bytesIn += packet.count
      endpoint.receive(packet.span, arrival: Arrival(path: path), at: now)
    }
    answer.removeAll(keepingCapacity: true)
    while transmit() {}
    while endpoint.nextEvent() != nil {}
  }

  /// Adds what the endpoint sends next to the answer. Returns whether there was anything.
  private mutating func transmit() -> Bool {
    let now = now
    var bytes: [UInt8] = []
    swap(&bytes, &answer)
    defer { swap(&bytes, &answer) }
    let before = bytes.count
    var transmit: Transmit?
    bytes.append(addingCapacity: 1_500) { (output: inout OutputSpan<UInt8>) in
      transmit = endpoint.nextTransmit(into: &output, at: now)
    }
    bytesOut += bytes.count - before
    return transmit != nil
  }
}
