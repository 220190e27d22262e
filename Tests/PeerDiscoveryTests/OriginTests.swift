import PeerDiscovery
import Primitives
import Testing

/// Where a beacon may come from.
struct OriginTests {
  struct Case: CustomStringConvertible {
    var source: String
    var interface: UInt32 = 2
    var port: UInt16 = 28_421
    var hopLimit: UInt8?
    var dropped: DiscoveryStatistics.DropReason?

    var description: String { "\(source) port \(port) on \(interface), hop limit \(hopLimit ?? 0)" }
  }

  private static let interfaces: [NetworkInterface] = [
    .loopback, .ethernet, .second,
    NetworkInterface(
      index: 4, name: "eth2",
      addresses: [
        .init(ip: IPAddress(10, 9, 9, 0), prefixLength: 31),
        .init(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 4), prefixLength: 64),
        .init(ip: IPAddress(ipv6High: 0x2001_0DB8 << 32, low: 4), prefixLength: 64),
      ]),
  ]

  @Test(arguments: [
    // The network part has the length that the interface says.
    Case(source: "192.168.1.20"),
    Case(source: "192.168.1.254"),
    Case(source: "192.168.2.20", dropped: .offLink),
    Case(source: "10.1.255.1", interface: 3),
    Case(source: "10.2.0.1", interface: 3, dropped: .offLink),
    Case(source: "8.8.8.8", dropped: .offLink),
    Case(source: "10.1.255.1", dropped: .offLink),
    Case(source: "10.9.9.1", interface: 4),
    Case(source: "10.9.9.2", interface: 4, dropped: .offLink),
    // The TTL of IPv4 says nothing.
    Case(source: "192.168.1.20", hopLimit: 1),
    // IPv6: link-local or of a known prefix, and never by way of a router.
    Case(source: "fe80::20", hopLimit: 255),
    Case(source: "fe80::20"),
    Case(source: "fe80::20", hopLimit: 254, dropped: .forwarded),
    Case(source: "fe80::20", hopLimit: 0, dropped: .forwarded),
    Case(source: "2001:db8::20", interface: 4, hopLimit: 255),
    Case(source: "2001:db9::20", interface: 4, hopLimit: 255, dropped: .offLink),
    Case(source: "2001:db8::20", hopLimit: 255, dropped: .offLink),
    // Loopback, also between addresses of one host.
    Case(source: "127.0.0.1", interface: 1),
    Case(source: "192.168.1.10", interface: 1),
    Case(source: "192.168.1.20", interface: 1, dropped: .offLink),
    Case(source: "127.0.0.1", dropped: .offLink),
    Case(source: "::1", interface: 1, dropped: .unusedInterface),
    // What cannot be answered, or would be answered to everybody.
    Case(source: "192.168.1.20", port: 0, dropped: .invalidSource),
    Case(source: "0.0.0.0", dropped: .invalidSource),
    Case(source: "::", dropped: .invalidSource),
    Case(source: "239.255.80.84", dropped: .invalidSource),
    Case(source: "ff12::5054", hopLimit: 255, dropped: .invalidSource),
    Case(source: "255.255.255.255", dropped: .invalidSource),
    Case(source: "192.168.1.255", dropped: .invalidSource),
    Case(source: "192.168.1.0", dropped: .invalidSource),
    Case(source: "10.1.255.255", interface: 3, dropped: .invalidSource),
    // Interfaces that are not used.
    Case(source: "192.168.1.20", interface: 0, dropped: .unusedInterface),
    Case(source: "192.168.1.20", interface: 9, dropped: .unusedInterface),
    Case(source: "fe80::20", interface: 3, hopLimit: 255, dropped: .unusedInterface),
  ])
  func isChecked(example: Case) throws {
    let source = try #require(IPAddress(example.source))
    let station = Station(interfaces: Self.interfaces)
    station.receive(
      .from(),
      .multicast(
        from: source, port: example.port, interface: example.interface, hopLimit: example.hopLimit))
    #expect(station.candidates.count == (example.dropped == nil ? 1 : 0))
    if let reason = example.dropped { #expect(station.statistics[reason] == 1) }
    #expect(station.statistics.dropped == (example.dropped == nil ? 0 : 1))
  }

  @Test func afterMulticastTheAnswerComesFromOurAddressThere() {
    let station = Station()
    station.receive(.from(), .multicast())
    station.receive(.from(), .multicast(from: .theirLinkLocal, hopLimit: 255))
    let expected = [
      Path(remote: SocketAddress(ip: .theirs, port: 28_421), local: .ours, interface: 2),
      Path(
        remote: SocketAddress(ip: .theirLinkLocal, port: 28_421, scope: 2), local: .ourLinkLocal,
        interface: 2),
    ]
    #expect(station.candidates.map(\.path) == expected)
  }

  @Test func theAnswerComesFromTheNetworkOfTheOther() {
    var interface = NetworkInterface.second
    interface.addresses.append(.init(ip: IPAddress(172, 16, 0, 3), prefixLength: 24))
    let station = Station(interfaces: [interface])
    station.receive(.from(), .multicast(from: IPAddress(172, 16, 0, 9), interface: 3))
    #expect(station.candidates.map(\.path.local) == [IPAddress(172, 16, 0, 3)])
  }

  @Test func whatWasSentToOneOfOurAddressesIsAnsweredFromIt() {
    let station = Station()
    station.receive(.from(kind: .answer), .unicast())
    #expect(station.candidates.map(\.path.local) == [.ours])
  }
}
