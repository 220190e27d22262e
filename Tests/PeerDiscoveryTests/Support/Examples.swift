import ChatTransport
import PeerDiscovery
import Primitives

extension Topic {
  static let lan = Topic(hash: 0xAB7D_C219_ED63_572D)
}

extension IPAddress {
  static let ours = IPAddress(192, 168, 1, 10)
  static let theirs = IPAddress(192, 168, 1, 20)
  static let ourLinkLocal = IPAddress(ipv6High: 0xFE80 << 48, low: 10)
  static let theirLinkLocal = IPAddress(ipv6High: 0xFE80 << 48, low: 20)
}

extension NetworkInterface {
  /// `eth0`, index 2, with both families.
  static let ethernet = NetworkInterface(
    index: 2, name: "eth0",
    addresses: [
      Address(ip: .ours, prefixLength: 24), Address(ip: .ourLinkLocal, prefixLength: 64),
    ])

  /// `lo`, index 1, without the multicast flag, as on Linux.
  static let loopback = NetworkInterface(
    index: 1, name: "lo",
    addresses: [
      Address(ip: IPAddress(127, 0, 0, 1), prefixLength: 8),
      Address(ip: IPAddress(ipv6High: 0, low: 1), prefixLength: 128),
    ], isLoopback: true, supportsMulticast: false)

  /// `tun0`, index 5, point-to-point.
  static let tunnel = NetworkInterface(
    index: 5, name: "tun0", addresses: [Address(ip: IPAddress(10, 8, 0, 2), prefixLength: 24)],
    isPointToPoint: true)

  /// `eth1`, index 3, IPv4 only.
  static let second = NetworkInterface(
    index: 3, name: "eth1", addresses: [Address(ip: IPAddress(10, 1, 2, 3), prefixLength: 16)])
}

extension Arrival {
  /// By multicast, on `eth0`.
  static func multicast(
    from ip: IPAddress = .theirs, port: UInt16 = 28_421, interface: UInt32 = 2,
    hopLimit: UInt8? = nil
  ) -> Arrival {
    let group = ip.family == .ipv4 ? LANDefaults.ipv4Group : LANDefaults.ipv6Group
    return Arrival(
      path: Path(
        remote: SocketAddress(ip: ip, port: port), local: group, interface: interface),
      hopLimit: hopLimit)
  }

  /// To our own address on `eth0`.
  static func unicast(from ip: IPAddress = .theirs, port: UInt16 = 28_421) -> Arrival {
    let local: IPAddress = ip.family == .ipv4 ? .ours : .ourLinkLocal
    return Arrival(
      path: Path(remote: SocketAddress(ip: ip, port: port), local: local, interface: 2))
  }
}

extension Incarnation {
  static func number(_ identity: UInt64, epoch: UInt64 = 1) -> Incarnation {
    Incarnation(identity: Identity(high: 0, low: identity), epoch: epoch)
  }
}

extension Beacon {
  /// By default from an identity greater than that of a `Station`, which then has to answer.
  static func from(
    _ identity: UInt64 = 200, epoch: UInt64 = 1, kind: Kind = .announcement, next: UInt16 = 2_000,
    topics: [Topic] = [.lan], name: String = "Leia"
  ) -> Beacon {
    Beacon(
      kind: kind, incarnation: .number(identity, epoch: epoch), nextInMilliseconds: next,
      topics: topics, name: name)
  }

  var bytes: [UInt8] {
    [UInt8](capacity: Beacon.answerableSize) { (buffer: inout OutputSpan<UInt8>) in
      emit(into: &buffer)
    }
  }
}

extension Set<Incarnation> {
  /// So many peers who play no part in the test.
  static func strangers(_ count: Int) -> Set<Incarnation> {
    Set((0..<count).map { Incarnation(identity: Identity(high: ~0, low: UInt64($0)), epoch: 1) })
  }
}
