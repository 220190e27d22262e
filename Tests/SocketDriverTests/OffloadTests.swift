import Glibc
import Primitives
import Testing

@testable import SocketDriver

extension SocketTests {
  /// Runs of datagrams that the kernel cuts and puts together.
  @Suite struct Offload {
    private func socket(
      _ family: IPAddress.Family = .ipv4, coalescing: Bool = true, segmenting: Bool = true
    ) throws -> UDPSocket {
      try UDPSocket(
        UDPSocketConfiguration(
          family: family, address: Loopback.address(family), isCoalescing: coalescing,
          isSegmenting: segmenting))
    }

    private static let bytes = (0..<2_500).map { UInt8(truncatingIfNeeded: $0) }

    private func expectRun(from sender: UDPSocket, to receiver: UDPSocket) throws {
      sender.append(Self.bytes.span, to: Path(remote: receiver.localAddress), segmentSize: 1_200)
      #expect(sender.flush().sent == 3)
      let received = try receiver.receive(count: 3)
      #expect(received.map(\.bytes.count) == [1_200, 1_200, 100])
      #expect(Array(received.map(\.bytes).joined()) == Self.bytes)
      #expect(received.allSatisfy { $0.arrival == received[0].arrival })
      #expect(receiver.statistics.datagramsReceived == 3)
      #expect(receiver.statistics.bytesReceived == 2_500)
    }

    @Test(arguments: IPAddress.Family.allCases, [true, false])
    func aRunArrivesWhoeverCutsIt(_ family: IPAddress.Family, segmenting: Bool) throws {
      for coalescing in [true, false] {
        try expectRun(
          from: try socket(family, segmenting: segmenting),
          to: try socket(family, coalescing: coalescing))
      }
    }

    @Test func aRunIsReceivedAsOneWhereTheKernelCan() throws {
      let (sender, receiver) = (try socket(), try socket())
      try #require(receiver.statistics.isCoalescing, "this kernel does not know UDP_GRO")
      let bytes = [UInt8](repeating: 3, count: 64 * 1_000)
      sender.append(bytes.span, to: Path(remote: receiver.localAddress), segmentSize: 1_000)
      #expect(sender.flush().sent == 64)
      #expect(try receiver.receive(count: 64).count == 64)
      #expect(receiver.statistics.receiveCalls == 1)
    }

    @Test func longRunsEndACallEarly() throws {
      let sender = try socket()
      let receiver = try UDPSocket(
        UDPSocketConfiguration(
          family: .ipv4, address: Loopback.ipv4, receiveBufferSize: 16 << 20,
          batchesPerReceive: 4))
      try #require(receiver.statistics.isCoalescing, "this kernel does not know UDP_GRO")
      // An unprivileged program may not be granted so much, and then there is nothing to see.
      guard receiver.statistics.receiveBufferSize >= 32 << 20 else { return }
      let bytes = [UInt8](repeating: 3, count: 64 * 1_000)
      for _ in 0..<40 {
        sender.append(bytes.span, to: Path(remote: receiver.localAddress), segmentSize: 1_000)
      }
      #expect(sender.flush().sent == 40 * 64)
      var count = 0
      #expect(waitUntilReadable(receiver.fileDescriptor))
      #expect(try receiver.receive { _, _ in count += 1 } == .moreWaiting)
      #expect(count == 32 * 64)
      while try receiver.receive({ _, _ in count += 1 }) == .moreWaiting {}
      #expect(count == 40 * 64)
    }

    @Test func aRefusalOfTheKernelLosesNothingAndIsRemembered() throws {
      let (sender, receiver) = (try socket(), try socket())
      // A kernel that shall compute no checksums cuts nothing.
      var on: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      try #require(setsockopt(sender.fileDescriptor, SOL_SOCKET, SO_NO_CHECK, &on, size) == 0)
      for count in 1...3 {
        let bytes = [UInt8](repeating: UInt8(count), count: 2_000)
        sender.append(bytes.span, to: Path(remote: receiver.localAddress), segmentSize: 1_000)
        #expect(sender.flush().sent == 2)
        let half = [UInt8](repeating: UInt8(count), count: 1_000)
        #expect(try receiver.receive(count: 2).map(\.bytes) == [half, half])
        #expect(sender.statistics.segmentationRefusals == 1)
      }
      #expect(sender.statistics.sendErrors.isEmpty)
    }

    @Test func whatIsWrittenInPlaceIsSent() throws {
      let (sender, receiver) = (try socket(), try socket())
      var rooms: [Int] = []
      for number in UInt8(0)..<100 {
        let writing = sender.write { output in
          rooms.append(output.freeCapacity)
          for _ in 0..<50 { output.append(number) }
          return Transmit(path: Path(remote: receiver.localAddress), segmentSize: 20)
        } elsewhere: { _, _ in
          Issue.record("it is of the socket's family")
        }
        #expect(writing == .written)
      }
      #expect(rooms == [Int](repeating: UDPSocket.largestRun, count: 100))
      #expect(sender.write({ _ in nil }, elsewhere: { _, _ in }) == .nothing)
      #expect(sender.flush().sent == 300)
      let received = try receiver.receive(count: 300).map(\.bytes)
      let expected = (0..<300).map {
        [UInt8](repeating: UInt8($0 / 3), count: $0 % 3 == 2 ? 10 : 20)
      }
      #expect(received == expected)
    }

    @Test func buffersAreGrantedAndTold() throws {
      let socket = try UDPSocket(
        UDPSocketConfiguration(
          family: .ipv4, receiveBufferSize: 100_000, sendBufferSize: 50_000))
      #expect(socket.statistics.receiveBufferSize == 200_000)
      #expect(socket.statistics.sendBufferSize == 100_000)
    }

    @Test func whatTheReceiveBufferHasNoRoomForIsCounted() throws {
      let sender = try socket()
      let receiver = try UDPSocket(
        UDPSocketConfiguration(family: .ipv4, address: Loopback.ipv4, receiveBufferSize: 20_000))
      let datagrams = [[UInt8]](repeating: [UInt8](repeating: 1, count: 1_000), count: 100)
      sender.send(datagrams, to: receiver.localAddress)
      var count = 0
      #expect(waitUntilReadable(receiver.fileDescriptor))
      while try receiver.receive({ _, _ in count += 1 }) == .moreWaiting {}
      #expect((1..<100).contains(count))
      // The next one to be taken in tells of the loss.
      sender.send([[1]], to: receiver.localAddress)
      _ = try receiver.receive(count: 1)
      #expect(receiver.statistics.receiveOverflows == UInt64(100 - count))
    }

    @Test func aDatagramTooLargeForTheInterfaceIsNotFragmented() throws {
      // Of 65,507 bytes it just fits the loopback interface; the run is single datagrams then.
      let (sender, receiver) = (try socket(.ipv6), try socket(.ipv6))
      sender.append(
        [UInt8](repeating: 0, count: 65_500).span, to: Path(remote: receiver.localAddress))
      let result = sender.flush()
      #expect(result.failures.map(\.error.sendFailure) == [.tooLarge])
      #expect(result.failures.map(\.size) == [65_500])
    }
  }
}
