import PeerDiscovery
import Primitives
import SocketDriver
import Testing

@testable import UDPTransport

extension UDPTransportTests {
  @Suite struct Sockets {
    static let families = Set(IPAddress.Family.allCases)

    @Test func theFirstFreePortIsTaken() throws {
      let port = try Place().port
      let first = try LANSockets(port: port, families: Self.families)
      let second = try LANSockets(port: port, families: Self.families)
      #expect(Set(first.ownPorts.map(\.port)) == [port + 1])
      #expect(Set(second.ownPorts.map(\.port)) == [port + 2])
    }

    @Test func bothFamiliesHaveOnePort() throws {
      let port = try Place().port
      let other = try UDPSocket(UDPSocketConfiguration(family: .ipv4, port: port + 1))
      let sockets = try LANSockets(port: port, families: Self.families)
      #expect(Set(sockets.ownPorts.map(\.port)) == [port + 2])
      _ = other.localPort
    }

    @Test func bothFamiliesHaveOnePortOfTheSystemsChoiceToo() throws {
      let port = try Place().port
      let others = try LANDefaults.unicastPorts(behind: port).map {
        try UDPSocket(UDPSocketConfiguration(family: .ipv4, port: $0))
      }
      let sockets = try LANSockets(port: port, families: Self.families)
      let own = Set(sockets.ownPorts.map(\.port))
      #expect(own.count == 1)
      #expect(own.isDisjoint(with: others.map(\.localPort)))
    }

    @Test func whatHasNoSocketIsCounted() throws {
      let sockets = try LANSockets(port: try Place().port, families: [.ipv4])
      let target = SocketAddress(ip: IPAddress(ipv6High: 0, low: 1), port: 9)
      sockets.append([1].span, to: Path(remote: target))
      #expect(sockets.unsendable == 1)
    }

    @Test func aClosedSocketStaysInTheFigures() throws {
      let sockets = try LANSockets(port: try Place().port, families: [.ipv4])
      sockets.append([1].span, to: Path(remote: Loopback.address(sockets.ownPorts[0].port)))
      sockets.flush { _, _ in
        Issue.record("the kernel's buffer is not full")
      } tell: { failure in
        Issue.record("\(failure)")
      }
      for socket in sockets.all { sockets.remove(socket) }
      #expect(sockets.all.isEmpty)
      #expect(sockets.statistics.datagramsSent == 1)
      #expect(sockets.statistics.bytesSent == 1)
    }

    @Test func manyGroupsNeedMoreSockets() throws {
      let sockets = try LANSockets(port: try Place().port, families: [.ipv4])
      let loopback = try #require(try NetworkInterfaces.current().first(where: \.isLoopback))
      let wanted = (0..<200).map {
        Membership(
          group: IPAddress(239, 255, 81, UInt8($0)), interface: loopback.index,
          local: Loopback.ipv4)
      }
      let opened = sockets.memberships.set(wanted)
      #expect(sockets.memberships.errors.isEmpty)
      #expect(sockets.all.count == 2 + opened.count)
      #expect(sockets.memberships.set(wanted).isEmpty)
      // What is left makes room for others.
      #expect(sockets.memberships.set([]).isEmpty)
      #expect(sockets.memberships.set(wanted).isEmpty)
      #expect(sockets.memberships.errors.isEmpty)
    }

    @Test func aGroupThatCannotBeJoinedIsCountedAndTriedAgain() throws {
      let sockets = try LANSockets(port: try Place().port, families: [.ipv4])
      let wanted = Membership(
        group: Loopback.group, interface: 4_000_000, local: IPAddress(192, 0, 2, 1))
      for count in 1...2 {
        #expect(sockets.memberships.set([wanted]).isEmpty)
        #expect(sockets.memberships.errors == [.noSuchInterface: UInt64(count)])
      }
      #expect(sockets.all.count == 2)
    }
  }
}
