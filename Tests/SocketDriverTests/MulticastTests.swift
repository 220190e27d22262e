import Primitives
import SocketDriver
import Testing

extension SocketTests {
  @Suite struct Multicast {
    /// Two sockets that share a port, as two programs on one host do.
    private func pair() throws -> (UDPSocket, UDPSocket) {
      let first = try UDPSocket(UDPSocketConfiguration(family: .ipv4, isShared: true))
      let second = try UDPSocket(
        UDPSocketConfiguration(family: .ipv4, port: first.localPort, isShared: true))
      return (first, second)
    }

    private func send(_ bytes: [UInt8], toPort port: UInt16) throws {
      let sender = try UDPSocket(UDPSocketConfiguration(family: .ipv4))
      let path = Path(
        remote: SocketAddress(ip: Loopback.group, port: port), local: Loopback.ipv4,
        interface: try Loopback.interface().index)
      sender.append(bytes.span, to: path)
      let result = sender.flush()
      #expect(result.sent == 1 && result.failures.isEmpty)
    }

    @Test func everyMemberOnTheHostHearsTheGroup() throws {
      let lo = try Loopback.interface().index
      let (first, second) = try pair()
      for socket in [first, second] {
        try socket.join(Loopback.group, interface: lo, address: Loopback.ipv4)
      }
      try send([1, 2], toPort: first.localPort)
      for socket in [first, second] {
        let received = try #require(try socket.receive(count: 1).first)
        #expect(received.bytes == [1, 2])
        #expect(received.arrival.path.local == Loopback.group)
        #expect(received.arrival.path.remote.ip == Loopback.ipv4)
        #expect(received.arrival.path.interface == lo)
        #expect(received.arrival.hopLimit == 1)
      }
    }

    @Test func whoHasNotJoinedHearsNothing() throws {
      let lo = try Loopback.interface().index
      let (member, stranger) = try pair()
      try member.join(Loopback.group, interface: lo)
      try send([1], toPort: member.localPort)
      _ = try member.receive(count: 1)
      #expect(try stranger.receive { _, _ in Issue.record("a group not joined") } == .drained)
      #expect(stranger.statistics.datagramsReceived == 0)
    }

    @Test func whoHasLeftHearsNothing() throws {
      let lo = try Loopback.interface().index
      let (member, left) = try pair()
      for socket in [member, left] { try socket.join(Loopback.group, interface: lo) }
      try left.leave(Loopback.group, interface: lo)
      try send([1], toPort: member.localPort)
      _ = try member.receive(count: 1)
      #expect(try left.receive { _, _ in Issue.record("a group that was left") } == .drained)
      #expect(left.statistics.datagramsReceived == 0)
    }

    @Test func anAnswerToAGroupLeavesFromAnAddressOfOurs() throws {
      let lo = try Loopback.interface().index
      let (member, _) = try pair()
      try member.join(Loopback.group, interface: lo)
      let asker = try Loopback.socket()
      asker.append(
        [1].span,
        to: Path(
          remote: SocketAddress(ip: Loopback.group, port: member.localPort),
          local: Loopback.ipv4, interface: lo))
      _ = asker.flush()
      let question = try #require(try member.receive(count: 1).first)
      member.append([2].span, to: question.arrival.path)
      #expect(member.flush().failures.isEmpty)
      #expect(
        try asker.receive(count: 1).first?.arrival.path.remote
          == SocketAddress(ip: Loopback.ipv4, port: member.localPort))
    }

    @Test func membershipErrorsSayWhatIsWrong() throws {
      let lo = try Loopback.interface().index
      let socket = try UDPSocket(UDPSocketConfiguration(family: .ipv4))
      try socket.join(Loopback.group, interface: lo)
      #expect(throws: MembershipError.alreadyMember) {
        try socket.join(Loopback.group, interface: lo)
      }
      #expect(throws: MembershipError.notMember) {
        try socket.leave(IPAddress(239, 255, 80, 85), interface: lo)
      }
      #expect(throws: MembershipError.noSuchInterface) {
        try socket.join(Loopback.group, interface: 999_999)
      }
      #expect(throws: MembershipError.notAGroup) {
        try socket.join(Loopback.ipv4, interface: lo)
      }
      #expect(throws: MembershipError.notAGroup) {
        try socket.join(IPAddress(ipv6High: 0xFF12 << 48, low: 1), interface: lo)
      }
    }

    @Test func theLimitOfMembershipsIsTold() throws {
      let lo = try Loopback.interface().index
      let socket = try UDPSocket(UDPSocketConfiguration(family: .ipv4))
      #expect(throws: MembershipError.limitReached) {
        for last in UInt8(1)...255 {
          try socket.join(IPAddress(239, 255, 81, last), interface: lo)
        }
      }
    }

    @Test func anIPv6GroupIsJoinedByIndex() throws {
      let lo = try Loopback.interface().index
      let group = IPAddress(ipv6High: 0xFF12 << 48, low: 0x5054)
      let socket = try UDPSocket(UDPSocketConfiguration(family: .ipv6))
      try socket.join(group, interface: lo)
      try socket.leave(group, interface: lo)
      #expect(throws: MembershipError.notMember) { try socket.leave(group, interface: lo) }
    }
  }
}
