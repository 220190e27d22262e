import ChatTransport
import Primitives

@testable import DatagramPeer

/// One endpoint without a network: datagrams are handed to it, and what it says is kept.
struct EndpointDriver: ~Copyable {
  var endpoint: DatagramEndpoint
  var now = Instant.zero

  init(_ number: UInt64 = 5, _ configuration: DatagramConfiguration = .init()) {
    endpoint = DatagramEndpoint(
      configuration: configuration, local: Self.incarnation(number), secret: Secret(seed: number))
  }

  static func incarnation(_ number: UInt64, epoch: UInt64 = 1) -> Incarnation {
    Incarnation(identity: Identity(high: 0, low: number), epoch: epoch)
  }

  static func path(_ host: UInt32, port: UInt16 = 28_421) -> Path {
    Path(
      remote: SocketAddress(ip: IPAddress(ipv4: 0x0A00_0000 | host), port: port), interface: 1)
  }

  mutating func receive(_ packet: HandshakePacket, on path: Path) {
    receive(packet.encoded(), on: path)
  }

  mutating func receive(_ bytes: [UInt8], on path: Path) {
    endpoint.receive(bytes.span, arrival: Arrival(path: path), at: now)
  }

  /// All that wants to be sent.
  mutating func transmit() -> [(path: Path, bytes: [UInt8])] {
    var sent: [(path: Path, bytes: [UInt8])] = []
    while true {
      var path: Path?
      let bytes = [UInt8](capacity: 1_200) {
        path = endpoint.nextTransmit(into: &$0, at: now)?.path
      }
      guard let path else { return sent }
      sent.append((path: path, bytes: bytes))
    }
  }

  mutating func takeEvents() -> [TransportEvent] {
    var taken: [TransportEvent] = []
    while let event = endpoint.nextEvent() { taken.append(event) }
    return taken
  }

  /// Whether there is any trace of anybody.
  var isBlank: Bool {
    endpoint.connections.count == 0 && endpoint.dials.isEmpty && endpoint.slotOfCall.isEmpty
      && endpoint.slotOfID.isEmpty && endpoint.unconfirmedCount == 0 && endpoint.deadline == nil
      && !endpoint.hasEvents
  }
}
