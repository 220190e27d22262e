import ChatTransport
import NetworkEmulator
import Primitives

@testable import DatagramPeer

extension EndpointLAN {
  /// Has a stranger, who does receive at `address`, open a connection under any identity and never
  /// confirm it.
  func open(
    from address: SocketAddress, as identity: UInt64, epoch: UInt64 = 1,
    source: ConnectionID? = nil, into host: HostID
  ) {
    let dialler = Pair.incarnation(identity, epoch: epoch)
    let id = source ?? ConnectionID(rawValue: identity)
    let (cookie, local) = with(host) { endpoint, now in
      (endpoint.cookies.cookie(for: id, of: dialler, at: address, now: now), endpoint.local)
    }
    let open = HandshakePacket.Open(
      source: id, dialler: dialler, responder: local, cookie: cookie, topics: [0])
    forge(HandshakePacket.open(open).encoded(), into: host, from: address)
    network.run(until: network.now)
  }
}
