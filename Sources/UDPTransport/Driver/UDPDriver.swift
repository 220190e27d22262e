public import ChatTransport
import DatagramPeer
import NetworkEmulator
public import PeerDiscovery
public import Primitives
public import SocketDriver

/// Runs a peer and the application above it on an event loop: real sockets below, a machine written
/// against the synchronous face above, and no hop between.
///
/// Built by one thread and run by the loop's: see `EventLoop`. Each wake takes in all datagrams
/// that are there, then the timers, then lets the application act, and then sends.
public final class UDPDriver<Application: TransportApplication & ~Copyable> {
  public let loop: EventLoop
  public private(set) var peer: LANPeer
  public var application: Application
  /// The interfaces in use when last looked.
  public private(set) var interfaces: [NetworkInterface]

  private typealias Sent = (path: Path, datagram: [UInt8])
  private typealias Received = (arrival: Arrival, datagram: [UInt8])

  private let sockets: LANSockets
  private let monitor: InterfaceMonitor
  private var outgoing: ImpairedLink<Sent>?
  private var incoming: ImpairedLink<Received>?
  private var buffer: [UInt8] = []

  /// Opens all sockets, and calls the addresses that the configuration names.
  public init(
    _ configuration: UDPConfiguration, application: consuming Application, loop: EventLoop
  ) throws(UDPOpenError) {
    let discovery = configuration.discovery
    interfaces = try Self.currentInterfaces()
    for name in discovery.interfaceNames where !interfaces.contains(where: { $0.name == name }) {
      throw .noSuchInterface(name, known: interfaces.map(\.name))
    }
    sockets = try LANSockets(port: discovery.port, families: Set(IPAddress.Family.allCases))
    let seed: UInt64
    let secrets: (Secret, Secret)
    do throws(SystemError) {
      monitor = try InterfaceMonitor()
      seed = try SystemRandom.uint64()
      secrets = (try SystemRandom.secret(), try SystemRandom.secret())
    } catch { throw .system(error) }
    var datagram = configuration.datagram
    datagram.topics = configuration.topics.sorted().map(\.hash)
    peer = LANPeer(
      endpoint: DatagramEndpoint(
        configuration: datagram, local: configuration.local, secret: secrets.0),
      discovery: Discovery(
        configuration: discovery, local: configuration.local, name: configuration.name,
        topics: configuration.topics, secret: secrets.1))
    self.application = application
    self.loop = loop
    outgoing = configuration.impairment.link(.outgoing, carrying: Sent.self, seed: seed)
      .map(ImpairedLink.init)
    incoming = configuration.impairment.link(.incoming, carrying: Received.self, seed: seed)
      .map(ImpairedLink.init)
    try register()
    updateInterfaces()
    for address in configuration.connect {
      peer.connect(to: Path(remote: address, interface: address.scope), at: loop.now)
    }
  }

  /// The ports on which we can be reached, by family.
  public var ports: [(family: IPAddress.Family, port: UInt16)] { sockets.ownPorts }

  /// Runs on the calling thread until the loop is stopped.
  public func run() {
    loop.run { [unowned self] now in tick(at: now) }
  }

  /// Lets `body` act on the application and the transport; on the loop's thread, or before it
  /// runs. What it leads to is sent at the end of this wake.
  public func perform<Result: ~Copyable, Failure: Error>(
    _ body: (inout Application, inout LANPeer, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&application, &peer, loop.now)
  }

  // MARK: One wake

  private func tick(at now: Instant) -> Instant? {
    while let (arrival, datagram) = incoming?.nextDue(at: now) {
      peer.receive(datagram.span, arrival: arrival, at: now)
    }
    peer.advance(to: now)
    // What the application does, and the sending of it, may lead to events of their own, such as
    // `closed`; nothing else would wake the loop for them.
    var passCount = 0
    repeat {
      application.run(over: &peer, at: now)
      transmit(at: now)
      passCount += 1
    } while peer.hasEvents && passCount < Self.passLimit
    for (socket, needsWritable) in sockets.flush() {
      setInterest(needsWritable ? [.readable, .writable] : .readable, of: socket)
    }
    var deadline = Instant.earlier(peer.deadline, application.deadline)
    deadline = Instant.earlier(deadline, outgoing?.deadline)
    return Instant.earlier(deadline, incoming?.deadline)
  }

  /// How often the application is run in one wake at most: one that reads no events for now, as it
  /// may, or always causes new ones, must not hold the loop.
  private static var passLimit: Int { 8 }

  private func transmit(at now: Instant) {
    while true {
      buffer.removeAll(keepingCapacity: true)
      var transmit: Transmit?
      buffer.append(addingCapacity: 1_200) { (output: inout OutputSpan<UInt8>) in
        transmit = peer.nextTransmit(into: &output, at: now)
      }
      guard let transmit else { break }
      if outgoing == nil {
        sockets.append(buffer.span, to: transmit.path, segmentSize: transmit.segmentSize)
      } else {
        outgoing?.offer(
          (path: transmit.path, datagram: buffer), size: buffer.count,
          peer: transmit.path.remote, at: now)
      }
    }
    while let (path, datagram) = outgoing?.nextDue(at: now) {
      sockets.append(datagram.span, to: path, segmentSize: nil)
    }
  }

  private func receive(from socket: UDPSocket) {
    let now = loop.now
    // What is left over is told again in the next round. An error that concerns the socket itself
    // cannot be mended here; the interfaces' next change opens no new one, so it is only counted.
    _ = try? socket.receive { datagram, arrival in
      if incoming == nil {
        peer.receive(datagram, arrival: arrival, at: now)
      } else {
        incoming?.offer(
          (arrival: arrival, datagram: datagram.copy(0..<datagram.count)), size: datagram.count,
          peer: arrival.path.remote, at: now)
      }
    }
  }

  // MARK: Descriptors

  private func register() throws(UDPOpenError) {
    do throws(SystemError) {
      for socket in sockets.all { try register(socket) }
      try loop.register(monitor.fileDescriptor, for: .readable) { [unowned self] _ in
        if (try? monitor.drain()) ?? false { updateInterfaces() }
      }
    } catch { throw .system(error) }
  }

  private func register(_ socket: UDPSocket) throws(SystemError) {
    try loop.register(socket.fileDescriptor, for: .readable) { [unowned self] readiness in
      if readiness.contains(.readable) { receive(from: socket) }
    }
  }

  private func setInterest(_ interest: Readiness, of socket: UDPSocket) {
    try? loop.setInterest(interest, of: socket.fileDescriptor)
  }

  // MARK: Interfaces

  private static func currentInterfaces() throws(UDPOpenError) -> [NetworkInterface] {
    do throws(SystemError) {
      return try NetworkInterfaces.current()
    } catch { throw .system(error) }
  }

  private func updateInterfaces() {
    // Where they cannot be read just now, the old ones are the best there is.
    interfaces = (try? NetworkInterfaces.current()) ?? interfaces
    peer.interfacesChanged(interfaces, at: loop.now)
    for socket in sockets.setMemberships(peer.discovery.memberships) {
      try? register(socket)
    }
  }
}
