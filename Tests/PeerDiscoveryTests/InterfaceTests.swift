import PeerDiscovery
import Primitives
import Testing

private let pastBurst = Interval.milliseconds(2_090)

struct InterfaceTests {
  @Test func membershipsAreOneAFamilyAndInterfaceInOrder() {
    let station = Station(interfaces: [.second, .tunnel, .ethernet, .loopback])
    #expect(
      station.memberships == [
        Membership(group: LANDefaults.ipv4Group, interface: 1, local: IPAddress(127, 0, 0, 1)),
        Membership(group: LANDefaults.ipv4Group, interface: 2, local: .ours),
        Membership(group: LANDefaults.ipv6Group, interface: 2, local: .ourLinkLocal),
        Membership(group: LANDefaults.ipv4Group, interface: 3, local: IPAddress(10, 1, 2, 3)),
      ])
  }

  @Test(arguments: IPAddress.Family.allCases) func aFamilyCanBeLeftOut(family: IPAddress.Family) {
    var configuration = DiscoveryConfiguration()
    if family == .ipv4 { configuration.ipv4Group = nil } else { configuration.ipv6Group = nil }
    let station = Station(configuration: configuration)
    station.run(for: pastBurst)
    #expect(station.memberships.count == 1)
    #expect(station.sent.count == 6)
    #expect(station.sent.allSatisfy { $0.path.remote.ip.family != family })
    station.receive(.from(), .multicast(from: family == .ipv4 ? .theirs : .theirLinkLocal))
    #expect(station.statistics[.unusedInterface] == 1)
  }

  @Test func groupAndPortCanBeChosen() {
    var configuration = DiscoveryConfiguration()
    configuration.port = 5_000
    configuration.ipv4Group = IPAddress(239, 1, 2, 3)
    let station = Station(configuration: configuration)
    station.run(for: .milliseconds(50))
    let expected = SocketAddress(ip: IPAddress(239, 1, 2, 3), port: 5_000)
    #expect(station.sent.first?.path.remote == expected)
    station.receive(.from(), .multicast())
    #expect(station.statistics[.foreignGroup] == 1)
  }

  @Test(arguments: ["down", "without multicast", "point-to-point", "without address", "unnumbered"])
  func whatIsNoLocalNetworkIsLeftOut(kind: String) {
    var interface = NetworkInterface.ethernet
    if kind == "down" { interface.isUp = false }
    if kind == "without multicast" { interface.supportsMulticast = false }
    if kind == "point-to-point" { interface.isPointToPoint = true }
    if kind == "without address" { interface.addresses = [] }
    if kind == "unnumbered" { interface.index = 0 }
    let station = Station(interfaces: [interface])
    #expect(station.memberships.isEmpty)
    #expect(station.deadline == nil)
  }

  /// As on Darwin, where the loopback interface has the multicast flag and fe80::1.
  @Test func noIPv6BeaconGoesOutOnLoopback() {
    var loopback = NetworkInterface.loopback
    loopback.supportsMulticast = true
    loopback.addresses.append(
      .init(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 1), prefixLength: 64))
    let station = Station(interfaces: [loopback])
    station.run(for: pastBurst)
    #expect(station.memberships.map(\.group) == [LANDefaults.ipv4Group])
    #expect(station.sent.count == 6)
  }

  @Test func namedInterfacesAreUsedAloneAndEvenPointToPoint() {
    var configuration = DiscoveryConfiguration()
    configuration.interfaceNames = ["tun0", "eth1"]
    let station = Station(
      configuration: configuration, interfaces: [.loopback, .ethernet, .second, .tunnel])
    #expect(station.memberships.map(\.interface) == [3, 5])
    station.receive(.from(), .multicast())
    #expect(station.statistics[.unusedInterface] == 1)
  }

  @Test func eachNetworkOfAnInterfaceGetsABeaconFromItsOwnAddress() {
    var interface = NetworkInterface.second
    interface.addresses += [
      .init(ip: IPAddress(10, 1, 9, 9), prefixLength: 16),
      .init(ip: IPAddress(172, 16, 0, 3), prefixLength: 24),
    ]
    let station = Station(interfaces: [interface])
    station.run(for: .milliseconds(50))
    #expect(station.sent.map(\.path.local) == [IPAddress(10, 1, 2, 3), IPAddress(172, 16, 0, 3)])
    #expect(station.memberships.count == 1)
  }

  @Test func aNewInterfaceGetsABurstOfItsOwn() {
    let station = Station()
    station.run(for: pastBurst)
    station.clear()
    station.change([.ethernet, .second])
    station.run(for: pastBurst)
    #expect(station.memberships.map(\.interface) == [2, 2, 3])
    #expect(station.sent.filter { $0.path.interface == 3 }.count == 6)
    #expect(station.sent.filter { $0.path.interface == 2 }.count <= 2)
  }

  @Test func aChangedAddressStartsANewBurst() {
    let station = Station()
    station.run(for: pastBurst)
    station.clear()
    var changed = NetworkInterface.ethernet
    changed.addresses[0].ip = IPAddress(192, 168, 1, 11)
    station.change([changed])
    station.run(for: pastBurst)
    let ipv4 = station.sent.filter { $0.path.remote.ip.family == .ipv4 }
    #expect(ipv4.count == 6)
    #expect(ipv4.allSatisfy { $0.path.local == IPAddress(192, 168, 1, 11) })
  }

  @Test func whatDoesNotConcernBeaconsStartsNoBurst() {
    let station = Station()
    station.run(for: pastBurst)
    let deadline = station.deadline
    var changed = NetworkInterface.ethernet
    changed.addresses.append(
      .init(ip: IPAddress(ipv6High: 0x2001_0DB8 << 32, low: 1), prefixLength: 64))
    station.change([changed])
    #expect(station.deadline == deadline)
  }

  @Test func anInterfaceThatGoesTakesItsPathsAndAnswersWithIt() {
    let station = Station(interfaces: [.ethernet, .second])
    station.run(for: pastBurst)
    station.clear()
    station.receive(.from(), .multicast())
    station.receive(.from(201), .multicast(from: IPAddress(10, 1, 7, 7), interface: 3))
    station.change([.second])
    station.run(for: .milliseconds(200))
    #expect(station.memberships.map(\.interface) == [3])
    #expect(station.sightings.map(\.incarnation) == [.number(201)])
    #expect(station.answers.map(\.path.interface) == [3])
  }

  @Test func anInterfaceThatComesBackGetsABurst() {
    let station = Station()
    station.run(for: pastBurst)
    station.change([])
    #expect(station.deadline == nil)
    station.clear()
    station.change([.ethernet])
    station.run(for: pastBurst)
    #expect(station.sent.count == 12)
  }
}
