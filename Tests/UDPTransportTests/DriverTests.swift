import ChatTransport
import Foundation
import Primitives
import SocketDriver
import Testing

@testable import UDPTransport

extension UDPTransportTests {
  /// The driver and its descriptors.
  @Suite struct Driver {
    @Test func aDriverThatIsLetGoLeavesNothingBehind() throws {
      let place = try Place()
      let loop = try EventLoop()
      var driver: UDPDriver<Nobody>? = try UDPDriver(
        try place.configuration(), application: Nobody(), loop: loop)
      #expect(driver?.ports.map(\.port) == driver?.ports.map { _ in place.port + 1 })
      #expect(!Loopback.isFree(place.port + 1))
      driver = nil
      #expect(Loopback.isFree(place.port + 1))
      // It gets the same descriptors, which the loop must not know any more.
      driver = try UDPDriver(try place.configuration(), application: Nobody(), loop: loop)
      #expect(driver?.ports.isEmpty == false)
    }

    @Test func aDriverThatHasRunIsClosed() throws {
      let place = try Place()
      let loop = try EventLoop()
      let driver = try UDPDriver(try place.configuration(), application: Nobody(), loop: loop)
      loop.handle.stop()
      driver.run()
      #expect(driver.ports.isEmpty)
      #expect(Loopback.isFree(place.port + 1))
    }

    @Test func aSocketThatCanOnlyFailIsGivenUp() throws {
      let loop = try EventLoop()
      let driver = try UDPDriver(
        try Place().configuration(), application: Nobody(), loop: loop)
      let count = driver.core.sockets.all.count
      let socket = try #require(driver.core.sockets.all.first)
      let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
      #expect(dup2(file, socket.fileDescriptor) == socket.fileDescriptor)
      #expect(close(file) == 0)
      driver.core.receive(from: socket)
      #expect(driver.statistics.deafDescriptors == [ENOTSOCK: 1])
      #expect(driver.core.sockets.all.count == count - 1)
      // The loop does not know it any more, or this would be a mistake.
      try loop.register(socket.fileDescriptor, for: .readable) { _ in }
      loop.unregister(socket.fileDescriptor)
      loop.handle.stop()
      driver.run()
    }

    @Test func anApplicationHearsOfItsOwnClosing() throws {
      var configuration = try Place().configuration()
      configuration.discovery.isEnabled = false
      let loop = try EventLoop()
      let driver = try UDPDriver(
        configuration, application: ClosingAtOnce(loop: loop.handle), loop: loop)
      driver.run()
      #expect(driver.application.hasEnded)
    }

    @Test func anApplicationThatReadsNothingHoldsNothingUp() throws {
      var configuration = try Place().configuration()
      configuration.discovery.isEnabled = false
      let loop = try EventLoop()
      let driver = try UDPDriver(configuration, application: Deaf(), loop: loop)
      driver.perform { _, peer, now in peer.close(at: now) }
      #expect(driver.wake(at: loop.now) == nil)
      #expect((1...8).contains(driver.application.runCount))
      let hasEvents = driver.peer.hasEvents
      #expect(hasEvents)
    }

    @Test func whatIsOnTheEmulatedLinkIsSentAtTheEnd() throws {
      var configuration = try Place().configuration()
      configuration.impairment = try .init(parsing: "delay=10s")
      let loop = try EventLoop()
      let driver = try UDPDriver(configuration, application: Nobody(), loop: loop)
      driver.perform { _, peer, now in peer.close(at: now) }
      loop.handle.stop()
      driver.run()
      let statistics = driver.statistics
      #expect(statistics.outgoingLink?.offered == 1)
      #expect(statistics.sockets.datagramsSent == 1)
    }
  }
}

/// Closes the transport when it is run first.
private struct ClosingAtOnce: TransportApplication {
  let loop: EventLoop.Handle
  private var hasClosed = false
  private(set) var hasEnded = false

  init(loop: EventLoop.Handle) {
    self.loop = loop
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      guard event == .closed(.closedByUs) else { continue }
      hasEnded = true
      loop.stop()
    }
    if !hasClosed { transport.close(at: now) }
    hasClosed = true
  }

  var deadline: Instant? { nil }
}

/// Reads no events.
private struct Deaf: TransportApplication {
  private(set) var runCount = 0

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    runCount += 1
  }

  var deadline: Instant? { nil }
}
