import ChatTransport
import Primitives
import SocketDriver
import UDPTransport

/// A peer that can be ended without a word to anybody.
struct Mortal {
  private let loop: EventLoop.Handle

  init(_ configuration: UDPConfiguration) throws {
    let loop = try EventLoop()
    self.loop = loop.handle
    let driver = LoopBound(
      try UDPDriver(configuration, application: Nobody(), loop: loop), on: loop.handle)
    try driver.startThread(name: "mortal") { $0.run() }
  }

  func kill() { loop.stop() }
}

/// Hears everything and does nothing.
struct Nobody: TransportApplication {
  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while transport.nextEvent() != nil {}
  }

  var deadline: Instant? { nil }
}
