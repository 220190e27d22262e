import ChatTransport
import DatagramPeer
import Primitives
import SocketDriver

/// Runs one endpoint without discovery on one socket, for those who know the address of their
/// peer. Several may share a loop.
final class EndpointDriver<Application: TransportApplication> {
  let loop: EventLoop
  var application: Application
  private(set) var machine: DatagramEndpoint
  private let socket: UDPSocket
  private var buffer: [UInt8] = []
  private static var passLimit: Int { 8 }

  init(
    _ machine: consuming DatagramEndpoint, application: Application, address: SocketAddress,
    loop: EventLoop
  ) throws(SystemError) {
    self.machine = machine
    self.application = application
    self.loop = loop
    socket = try UDPSocket(
      UDPSocketConfiguration(
        family: address.ip.family, address: address.ip, port: address.port,
        receiveBufferSize: 8 << 20, sendBufferSize: 8 << 20, maximumQueuedDatagrams: 65_536,
        maximumQueuedBytes: 64 << 20))
    try loop.register(socket.fileDescriptor, for: .readable) { [unowned self] readiness in
      if readiness != .writable { receive() }
    }
  }

  deinit { loop.unregister(socket.fileDescriptor) }

  /// One wake; returns when the next has to be at the latest.
  func wake(at now: Instant) -> Instant? {
    machine.advance(to: now)
    var passCount = 0
    repeat {
      application.run(over: &machine, at: now)
      transmit(at: now)
      passCount += 1
    } while machine.hasEvents && passCount < Self.passLimit
    // There is no other outcome.
    try? loop.setInterest(
      socket.flush().needsWritable ? [.readable, .writable] : .readable,
      of: socket.fileDescriptor)
    return Instant.earlier(machine.deadline, application.deadline)
  }

  func perform(_ body: (inout Application, inout DatagramEndpoint, Instant) -> Void) {
    body(&application, &machine, loop.now)
  }

  private func receive() {
    let now = loop.now
    // What a socket cannot read on loopback is lost, as any datagram may be.
    _ = try? socket.receive { datagram, arrival in
      machine.receive(datagram, arrival: arrival, at: now)
    }
  }

  private func transmit(at now: Instant) {
    while true {
      buffer.removeAll(keepingCapacity: true)
      var transmit: Transmit?
      buffer.append(addingCapacity: 1_200) { (output: inout OutputSpan<UInt8>) in
        transmit = machine.nextTransmit(into: &output, at: now)
      }
      guard let transmit else { return }
      _ = socket.append(buffer.span, to: transmit.path, segmentSize: transmit.segmentSize)
    }
  }
}
