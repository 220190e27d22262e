import ChatTransport
import Primitives
import Testing

@testable import SocketDriver
@testable import UDPTransport

extension UDPTransportTests {
  /// One machine on one socket.
  @Suite struct MachineDrivers {
    private static let any = SocketAddress(ip: Loopback.ipv4, port: 0)

    private func driver(
      _ machine: consuming Parrot, address: SocketAddress = any, on loop: EventLoop,
      _ configure: (inout UDPSocketOptions) -> Void = { _ in }
    ) throws -> MachineDriver<Parrot, Nobody> {
      var options = UDPSocketOptions()
      configure(&options)
      return try MachineDriver(
        machine, application: Nobody(), address: address, options: options, loop: loop)
    }

    /// Runs drivers on one loop until `isDone`, or records that it never was.
    private func run(
      _ drivers: [MachineDriver<Parrot, Nobody>], on loop: EventLoop, until isDone: () -> Bool
    ) {
      let limit = loop.now + Interval(patience)
      loop.run { now in
        var deadline: Instant? = limit
        for driver in drivers { deadline = Instant.earlier(deadline, driver.wake(at: now)) }
        if now >= limit { Issue.record("what had to come did not") }
        if isDone() || now >= limit { loop.handle.stop() }
        return deadline
      }
    }

    private func expectConversation(
      _ configure: (inout UDPSocketOptions) -> Void = { _ in }
    ) throws {
      let loop = try EventLoop()
      var machine = Parrot()
      machine.isEcho = true
      let echo = try driver(machine, on: loop, configure)
      let target = try #require(echo.localAddress)
      machine = Parrot()
      let bytes = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 / 1_000) }
      let path = Path(remote: target)
      machine.outbox = [
        (Transmit(path: path, segmentSize: 1_000), bytes), (Transmit(path: path), [1]),
      ]
      let caller = try driver(machine, on: loop, configure)
      run([echo, caller], on: loop) { caller.machine.received.count == 61 }
      let expected = (0..<60).map { [UInt8](repeating: UInt8($0), count: 1_000) } + [[1]]
      let isRight = caller.machine.received == expected
      #expect(isRight)
      let room = caller.machine.largestRoom
      #expect(room == UDPSocket.largestRun)
    }

    @Test func runsGoThereAndBack() throws { try expectConversation() }

    @Test func withoutOffloadingToo() throws {
      try expectConversation { $0.isOffloading = false }
    }

    @Test func aSpinningLoopDoesTheSame() throws {
      try expectConversation { $0.busyPolling = .milliseconds(2) }
    }

    @Test func aSpinningLoopKeepsItsDeadlines() throws {
      let loop = try EventLoop()
      var machine = Parrot()
      machine.alarm = loop.now + .milliseconds(3)
      let driver = try driver(machine, on: loop) { $0.busyPolling = .seconds(60) }
      run([driver], on: loop) { driver.machine.alarm == nil }
    }

    @Test func aSpinningLoopHearsOfSubmittedWork() throws {
      let loop = try EventLoop()
      let handle = loop.handle
      let isDone = Locked(false)
      let driver = try driver(Parrot(), on: loop) { $0.busyPolling = .seconds(60) }
      try EventLoop.startThread(name: "submitter") {
        handle.submit { isDone.withLock { $0 = true } }
      }
      run([driver], on: loop) { isDone.withLock { $0 } }
    }

    @Test func whatCouldNotBeSentIsToldAndMayBeAnsweredAtOnce() throws {
      let loop = try EventLoop()
      let target = try driver(Parrot(), on: loop)
      let path = Path(remote: try #require(target.localAddress))
      var machine = Parrot()
      machine.outbox = [(Transmit(path: path), [UInt8](repeating: 0, count: 65_507))]
      machine.remedy = [5]
      // The path of loopback takes 65,507 bytes over IPv4; what cannot leave is to nowhere.
      let nowhere = Path(remote: SocketAddress(ip: Loopback.ipv4, port: 0))
      machine.outbox.append((Transmit(path: nowhere), [1, 2, 3]))
      let driver = try driver(machine, on: loop)
      _ = driver.wake(at: loop.now)
      let failures = driver.machine.failures
      #expect(failures.first == .init(size: 3, path: nowhere, error: .other))
      #expect(driver.statistics.sockets.datagramsSent == 1)
      let isEmpty = driver.machine.outbox.isEmpty
      #expect(isEmpty)
    }

    @Test func aFullKernelHoldsTheMachineBackAndLosesNothing() throws {
      let loop = try EventLoop()
      let target = try driver(Parrot(), on: loop)
      let path = Path(remote: try #require(target.localAddress))
      var machine = Parrot()
      machine.outbox = (0..<300).map { (Transmit(path: path), [UInt8($0 & 0xFF)]) }
      machine.isImpatient = true
      let driver = try driver(machine, on: loop)
      let socket = try #require(driver.sockets.own.first)
      let send = socket.sendBatch
      socket.sendBatch = { _, _ in 0 }
      _ = driver.wake(at: loop.now)
      // No more than a batch was pulled, and a passed deadline does not make the loop spin.
      let waiting = driver.machine.outbox.count
      #expect(waiting == 300 - 64)
      #expect(socket.isBlocked)
      let next = try #require(driver.wake(at: loop.now))
      #expect(next > loop.now)
      // Full again in the middle, and then never more.
      var calls = 0
      socket.sendBatch = { batch, count in
        calls += 1
        return calls == 1 ? 10 : calls == 2 ? 0 : send(batch, count)
      }
      run([driver, target], on: loop) { target.machine.received.count == 290 }
      let isRight = target.machine.received == (10..<300).map { [UInt8($0 & 0xFF)] }
      #expect(isRight)
    }

    @Test func aMachineWithMuchToSendIsInterrupted() throws {
      let loop = try EventLoop()
      let target = try driver(Parrot(), on: loop)
      let path = Path(remote: try #require(target.localAddress))
      var machine = Parrot()
      machine.outbox = (0..<200).map { (Transmit(path: path), [UInt8($0)]) }
      let driver = try driver(machine, on: loop)
      #expect(driver.wake(at: loop.now) == loop.now)
      let waiting = driver.machine.outbox.count
      #expect((1..<200).contains(waiting))
      run([driver, target], on: loop) { target.machine.received.count == 200 }
      let isRight = target.machine.received == (0..<200).map { [UInt8($0)] }
      #expect(isRight)
    }

    @Test func aTakenPortIsAnError() throws {
      let loop = try EventLoop()
      let first = try driver(Parrot(), on: loop)
      let address = try #require(first.localAddress)
      #expect(throws: UDPOpenError.portTaken(address.port)) {
        try driver(Parrot(), address: address, on: loop)
      }
    }

    @Test func aMachineWithoutASocketIsPulledAllTheSame() throws {
      let sockets = SocketSet(sending: [])
      var machine = Parrot()
      machine.outbox = [(Transmit(path: Path(remote: Self.any)), [1])]
      #expect(sockets.write { machine.nextTransmit(into: &$0, at: .zero) } == .written)
      #expect(sockets.write { machine.nextTransmit(into: &$0, at: .zero) } == .nothing)
      #expect(sockets.unsendable == 1)
    }
  }
}
