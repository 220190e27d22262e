import ChatRoom
import ChatTransport
import DatagramPeer
import PeerDiscovery
import Primitives

/// All of a chatting program but its sockets: discovery, connections and the room, as one machine.
struct ChatNode: ~Copyable, DatagramMachine {
  var peer: LANPeer
  var room: ChatRoom

  init(
    _ number: UInt64, epoch: UInt64 = 1, name: String? = nil, roomName: String = "lan",
    delivery: Delivery = .reliable, interfaces: [NetworkInterface], seed: UInt64, now: Instant
  ) {
    let local = Incarnation(identity: Identity(high: mix64(number), low: number), epoch: epoch)
    let topic = RoomHash(of: roomName).rawValue
    var datagram = DatagramConfiguration()
    datagram.topics = [topic]
    peer = LANPeer(
      endpoint: DatagramEndpoint(
        configuration: datagram, local: local, secret: Secret(seed: seed)),
      discovery: Discovery(
        configuration: DiscoveryConfiguration(), local: local, name: name ?? "P\(number)",
        topics: [Topic(hash: topic)], secret: Secret(seed: ~seed)))
    room = ChatRoom(
      configuration: ChatRoom.Configuration(room: roomName, delivery: delivery), self: local)
    peer.interfacesChanged(interfaces, at: now)
    // A name that is refused would show at once: nobody would join.
    try? room.join(as: name ?? "P\(number)", over: &peer, at: now)
  }

  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    peer.receive(datagram, arrival: arrival, at: now)
    room.run(over: &peer, at: now)
  }

  mutating func advance(to now: Instant) {
    peer.advance(to: now)
    room.run(over: &peer, at: now)
  }

  mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    peer.nextTransmit(into: &buffer, at: now)
  }

  var deadline: Instant? { Instant.earlier(peer.deadline, room.deadline) }
}
