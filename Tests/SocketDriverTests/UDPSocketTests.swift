import Glibc
import Primitives
import Testing

@testable import SocketDriver

extension SocketTests {
  @Suite struct UDPSockets {
    @Test(arguments: IPAddress.Family.allCases)
    func aBatchArrivesWithItsPaths(family: IPAddress.Family) throws {
      let (sender, receiver) = (try Loopback.socket(family), try Loopback.socket(family))
      let sent = (0..<100).map { [UInt8](repeating: UInt8($0), count: $0 + 1) }
      let result = sender.send(sent, to: receiver.localAddress)
      #expect(result.sent == 100 && result.failures.isEmpty && !result.needsWritable)

      let received = try receiver.receive(count: 100)
      #expect(received.map(\.bytes) == sent)
      let path = Path(
        remote: sender.localAddress, local: Loopback.address(family),
        interface: try Loopback.interface().index)
      let hopLimit: UInt8 = family == .ipv4 ? 64 : 255
      #expect(received.allSatisfy { $0.arrival == Arrival(path: path, hopLimit: hopLimit) })
      #expect(sender.statistics.datagramsSent == 100)
      #expect(receiver.statistics.datagramsReceived == 100)
      #expect(receiver.statistics.bytesReceived == 5_050)
    }

    @Test func anAnswerLeavesFromTheAddressThatWasAsked() throws {
      let asker = try Loopback.socket()
      let answerer = try UDPSocket(UDPSocketConfiguration(family: .ipv4))
      let second = IPAddress(127, 0, 0, 2)
      asker.send([[1]], to: SocketAddress(ip: second, port: answerer.localPort))
      let question = try #require(try answerer.receive(count: 1).first)
      #expect(question.arrival.path.local == second)

      answerer.append([2].span, to: question.arrival.path)
      #expect(answerer.flush().sent == 1)
      let answer = try #require(try asker.receive(count: 1).first)
      #expect(
        answer.arrival.path.remote == SocketAddress(ip: second, port: answerer.localPort))
    }

    @Test(arguments: IPAddress.Family.allCases)
    func anEmptyDatagramIsDelivered(family: IPAddress.Family) throws {
      let (sender, receiver) = (try Loopback.socket(family), try Loopback.socket(family))
      sender.send([[], [7], []], to: receiver.localAddress)
      #expect(try receiver.receive(count: 3).map(\.bytes) == [[], [7], []])
    }

    @Test func aDatagramThatDoesNotFitIsDroppedAndCounted() throws {
      let sender = try Loopback.socket()
      for isCoalescing in [true, false] {
        let receiver = try UDPSocket(
          UDPSocketConfiguration(
            family: .ipv4, address: Loopback.ipv4, largestDatagram: 2_000,
            isCoalescing: isCoalescing))
        let largest = [UInt8](repeating: 1, count: 2_000)
        sender.send([largest + [1], largest], to: receiver.localAddress)
        #expect(try receiver.receive(count: 1).map(\.bytes) == [largest])
        #expect(receiver.statistics.datagramsTruncated == 1)
      }
    }

    @Test func aDatagramThatCannotBeSentLeavesTheOthersUnharmed() throws {
      let (sender, receiver) = (try Loopback.socket(), try Loopback.socket())
      // From 127.0.0.1 nothing leaves the host.
      let unreachable = Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 77), port: 9))
      let wrongSource = Path(remote: receiver.localAddress, local: IPAddress(192, 0, 2, 78))
      let noInterface = Path(remote: receiver.localAddress, interface: 999_999)
      let good = Path(remote: receiver.localAddress)
      let tooLarge = [UInt8](repeating: 0, count: 65_508)
      for (bytes, path): ([UInt8], Path) in [
        ([1], good), ([0], unreachable), ([2], good), ([0], wrongSource), ([0], noInterface),
        (tooLarge, good), ([3], good),
      ] {
        sender.append(bytes.span, to: path)
      }
      let result = sender.flush()
      #expect(result.sent == 3)
      #expect(result.failed == 4)
      #expect(result.failures.map(\.path) == [unreachable, wrongSource, noInterface, good])
      #expect(result.failures.last?.error.code == EMSGSIZE)
      #expect(sender.statistics.sendErrors[EMSGSIZE] == 1)
      #expect(sender.statistics.sendErrors.values.reduce(0, +) == 4)
      #expect(try receiver.receive(count: 3).map(\.bytes) == [[1], [2], [3]])
    }

    @Test func aRefusalIsCountedAndReadingGoesOn() throws {
      let socket = try Loopback.socket()
      let peer = try Loopback.socket()
      // Only a connected socket is told of refusals; it is connected to a port nobody listens on.
      try connect(socket, toPort: try Loopback.deadPort())
      #expect(socket.send([[1]], to: peer.localAddress).sent == 1)
      let dead = try connectedPort(of: socket)
      socket.send([[2]], to: dead)
      #expect(waitUntilReadable(socket.fileDescriptor))
      #expect(try socket.receive { _, _ in Issue.record("nothing was sent here") } == .drained)
      #expect(socket.statistics.receiveErrors == [ECONNREFUSED: 1])
    }

    @Test func aRefusalOfOneDatagramDoesNotCostTheNext() throws {
      let (socket, peer) = (try Loopback.socket(), try Loopback.socket())
      try connect(socket, toPort: try Loopback.deadPort())
      socket.send([[2]], to: try connectedPort(of: socket))
      #expect(waitUntilReadable(socket.fileDescriptor))
      let result = socket.send([[3], [4]], to: peer.localAddress)
      #expect(result.sent == 2 && result.failures.isEmpty)
      #expect(try peer.receive(count: 2).map(\.bytes) == [[3], [4]])
    }

    @Test func oneCallOfReceiveIsBounded() throws {
      let sender = try Loopback.socket()
      let receiver = try UDPSocket(
        UDPSocketConfiguration(family: .ipv4, address: Loopback.ipv4, batchesPerReceive: 1))
      sender.send([[UInt8]](repeating: [9], count: 33), to: receiver.localAddress)
      var count = 0
      #expect(waitUntilReadable(receiver.fileDescriptor))
      #expect(try receiver.receive { _, _ in count += 1 } == .moreWaiting)
      #expect(count == 32)
      #expect(try receiver.receive { _, _ in count += 1 } == .drained)
      #expect(count == 33)
    }

    @Test func aTakenPortIsAnError() throws {
      let first = try Loopback.socket()
      let error = #expect(throws: SystemError.self) {
        try UDPSocket(
          UDPSocketConfiguration(
            family: .ipv4, address: Loopback.ipv4, port: first.localPort))
      }
      #expect(error?.code == EADDRINUSE)
      #expect(error?.description == "bind: Address already in use (errno \(EADDRINUSE))")
    }

    @Test func bothFamiliesBindTheSamePort() throws {
      let ipv4 = try UDPSocket(UDPSocketConfiguration(family: .ipv4, isShared: true))
      let ipv6 = try UDPSocket(
        UDPSocketConfiguration(family: .ipv6, port: ipv4.localPort, isShared: true))
      #expect(ipv4.localPort == ipv6.localPort)
    }

    private func connect(_ socket: UDPSocket, toPort port: UInt16) throws {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(socket.fileDescriptor, $0, size)
        }
      }
      try #require(result == 0)
    }

    private func connectedPort(of socket: UDPSocket) throws -> SocketAddress {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(socket.fileDescriptor, $0, &size)
        }
      }
      try #require(result == 0)
      return SocketAddress(ip: Loopback.ipv4, port: UInt16(bigEndian: address.sin_port))
    }
  }
}
