import NetworkEmulator
import Primitives
import Testing

/// Who hears a datagram, and what he is told.
struct RoutingTests {
  let network = ToyNetwork(seed: 1)
  static let group4 = SocketAddress(ip: IPAddress(239, 1, 2, 3), port: 5_000)
  static let group6 = SocketAddress(ip: IPAddress(ipv6High: 0xFF02 << 48, low: 7), port: 5_000)

  @Test func unicastReachesTheOwnerOfTheAddress() throws {
    let a = network.addToy(1)
    let b = network.addToy(258)
    let c = network.addToy(3)
    network.send([1, 2], from: a, to: b)
    network.run(for: .seconds(1))
    let heard = try #require(network.heard(by: b).first)
    #expect(heard.bytes == [1, 2])
    #expect(heard.arrival.path.remote == SocketAddress(ip: IPAddress(10, 0, 0, 1), port: 28_422))
    #expect(heard.arrival.path.local == IPAddress(10, 0, 1, 2))
    #expect(heard.arrival.path.interface == 2_581)
    #expect(heard.arrival.hopLimit == 64)
    #expect(network.heard(by: a).isEmpty)
    #expect(network.heard(by: c).isEmpty)
  }

  @Test func linkLocalSenderHasTheScopeOfTheReceivingInterface() throws {
    let a = network.addToy(1)
    let b = network.addToy(2)
    let path = network.path(from: a, to: b, .ipv6)
    #expect(path.remote.scope == 11)
    network.send([1], from: a, on: path)
    network.run(for: .seconds(1))
    let heard = try #require(network.heard(by: b).first)
    #expect(heard.arrival.path.remote.description == "[fe80::1%21]:28422")
    #expect(heard.arrival.hopLimit == 255)
  }

  @Test(arguments: IPAddress.Family.allCases)
  func arrivalLeadsBack(family: IPAddress.Family) {
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.withMachine(b) { machine, _ in machine.echoes = true }
    network.send([9], from: a, on: network.path(from: a, to: b, family))
    network.run(for: .seconds(1))
    #expect(network.heard(by: a).map(\.bytes) == [[9]])
  }

  @Test func interfaceOfThePathChoosesTheSegment() throws {
    let a = network.addToy(1, on: [0, 1])
    let b = network.addToy(2, on: [0, 1])
    network.send([0], from: a, on: network.path(from: a, to: b, on: 0))
    network.send([1], from: a, on: network.path(from: a, to: b, on: 1))
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.arrival.path.interface) == [21, 22])
    #expect(
      network.heard(by: b).map(\.arrival.path.remote.ip.description) == ["10.0.0.1", "10.1.0.1"])
  }

  @Test func networkOfTheAddressChoosesTheSegmentOtherwise() throws {
    let a = network.addToy(1, on: [0, 1])
    let b = network.addToy(2, on: [1])
    let remote = network.configuration(of: b).address(on: 1)
    network.send([1], from: a, on: Path(remote: remote))
    network.run(for: .seconds(1))
    let heard = try #require(network.heard(by: b).first)
    #expect(heard.arrival.path.remote.ip == IPAddress(10, 1, 0, 1))
  }

  @Test func hostsOfDifferentSegmentsDoNotHearEachOther() {
    let a = network.addToy(1, on: [0], groups: [Self.group4])
    let b = network.addToy(2, on: [1], groups: [Self.group4])
    let remote = network.configuration(of: b).address(on: 1)
    network.send([1], from: a, on: Path(remote: remote, interface: 11))
    network.send([1], from: a, on: Path(remote: Self.group4))
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).isEmpty)
    #expect(network.statistics.unreachable == 1)
  }

  @Test(arguments: [(group4, UInt8(1)), (group6, UInt8(255))])
  func groupReachesAllWhoJoinedAndTheSender(group: SocketAddress, hopLimit: UInt8) {
    let a = network.addToy(1, groups: [group])
    let b = network.addToy(2, groups: [group])
    let c = network.addToy(3, groups: [])
    network.send([1], from: a, on: Path(remote: group, interface: 11))
    network.run(for: .seconds(1))
    for (host, index) in [(a, UInt32(11)), (b, 21)] {
      let heard = network.heard(by: host)
      #expect(heard.map(\.arrival.path.local) == [group.ip])
      #expect(heard.map(\.arrival.path.interface) == [index])
      #expect(heard.map(\.arrival.path.remote.port) == [28_422])
      #expect(heard.map(\.arrival.hopLimit) == [hopLimit])
    }
    #expect(network.heard(by: c).isEmpty)
    #expect(network.statistics.sent == 1)
    #expect(network.statistics.delivered == 2)
  }

  @Test func groupLeavesByTheInterfaceThatIsNamed() {
    let a = network.addToy(1, on: [0, 1])
    let b = network.addToy(2, on: [0], groups: [Self.group4])
    let c = network.addToy(3, on: [1], groups: [Self.group4])
    network.send([1], from: a, on: Path(remote: Self.group4, interface: 12))
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).isEmpty)
    #expect(network.heard(by: c).count == 1)
  }

  @Test func groupIsHeardOnItsPortOnly() {
    let a = network.addToy(1)
    network.addToy(2, groups: [Self.group4])
    var other = Self.group4
    other.port += 1
    network.send([1], from: a, on: Path(remote: other))
    network.run(for: .seconds(1))
    #expect(network.statistics.unheard == 1)
    #expect(network.statistics.delivered == 0)
  }

  @Test func unicastIsHeardOnOwnPortAndOnThoseOfGroups() {
    let a = network.addToy(1)
    let b = network.addToy(2, groups: [Self.group4])
    var remote = network.configuration(of: b).address()
    for (number, port) in [28_422, 5_000, 5_001].enumerated() {
      remote.port = UInt16(port)
      network.send([UInt8(number)], from: a, on: Path(remote: remote))
    }
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes) == [[0], [1]])
    #expect(network.statistics.unheard == 1)
  }

  static let unroutable = [
    // A link-local address without its interface.
    Path(remote: SocketAddress(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 2), port: 28_422)),
    // Two names of interfaces that contradict each other.
    Path(
      remote: SocketAddress(ip: IPAddress(ipv6High: 0xFE80 << 48, low: 2), port: 1, scope: 12),
      interface: 11),
    // An interface that is not there.
    Path(remote: SocketAddress(ip: IPAddress(10, 0, 0, 2), port: 28_422), interface: 9),
    // A source address that is another's, and one that is a group.
    Path(
      remote: SocketAddress(ip: IPAddress(10, 0, 0, 2), port: 28_422), local: IPAddress(10, 0, 0, 2)
    ),
    Path(
      remote: SocketAddress(ip: IPAddress(10, 0, 0, 2), port: 28_422), local: group4.ip,
      interface: 11),
    // An address of no network.
    Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 1), port: 28_422)),
    // No port, and no address.
    Path(remote: SocketAddress(ip: IPAddress(10, 0, 0, 2), port: 0)),
    Path(remote: SocketAddress(ip: IPAddress(0, 0, 0, 0), port: 28_422), interface: 11),
  ]

  @Test(arguments: unroutable)
  func whatAnIPStackRefusesIsNotSent(path: Path) {
    let a = network.addToy(1, on: [0, 1])
    network.addToy(2)
    network.send([1], from: a, on: path)
    network.run(for: .seconds(1))
    #expect(network.statistics.unroutable == 1)
    #expect(network.statistics.delivered == 0)
  }

  @Test func segmentsOfOneTransmitAreDatagramsOfTheirOwn() {
    let a = network.addToy(1)
    let b = network.addToy(2)
    let path = network.path(from: a, to: b)
    network.withMachine(a) { machine, _ in
      machine.send([1, 2, 3, 4, 5], on: path, segmentSize: 2)
    }
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes) == [[1, 2], [3, 4], [5]])
  }

  @Test(arguments: [(IPAddress.Family.ipv4, 28), (.ipv6, 48)])
  func datagramsAboveTheMTUAreNotSent(family: IPAddress.Family, headers: Int) {
    let a = network.addToy(1)
    let b = network.addToy(2)
    network.mtu = 1_280
    let path = network.path(from: a, to: b, family)
    for size in [1_280 - headers, 1_281 - headers] {
      network.send([UInt8](repeating: 0, count: size), from: a, on: path)
    }
    network.run(for: .seconds(1))
    #expect(network.heard(by: b).map(\.bytes.count) == [1_280 - headers])
    #expect(network.statistics.tooLarge == 1)
  }
}
