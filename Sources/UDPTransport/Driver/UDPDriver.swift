public import ChatTransport
import DatagramPeer
import NetworkEmulator
public import PeerDiscovery
public import Primitives
public import SocketDriver

/// Runs a peer and the application above it on an event loop: real sockets below, a machine written
/// against the synchronous face above, and no hop between.
///
/// Built by one thread and run by the loop's: see `EventLoop`. Each wake takes in the datagrams
/// that are there, then the timers, then lets the application act, and then sends. It is let go on
/// that thread too, or after the loop has ended.
public final class UDPDriver<Application: TransportApplication & ~Copyable> {
  public let loop: EventLoop
  public private(set) var peer: LANPeer
  public var application: Application
  /// The interfaces in use when last looked.
  public private(set) var interfaces: [NetworkInterface]

  private typealias Sent = (path: Path, datagram: [UInt8])
  private typealias Received = (arrival: Arrival, datagram: [UInt8])

  let sockets: LANSockets
  /// Gone once the loop has ended.
  private var monitor: InterfaceMonitor?
  private var outgoing: ImpairedLink<Sent>?
  private var incoming: ImpairedLink<Received>?
  private var buffer: [UInt8] = []
  /// What is counted here and not by those who do it.
  private var counts = UDPDriverStatistics()

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

  deinit { unregister() }

  /// The ports on which we can be reached, by family; none once `run` has returned.
  public var ports: [(family: IPAddress.Family, port: UInt16)] { sockets.ownPorts }

  /// What the driver and its sockets have done.
  public var statistics: UDPDriverStatistics {
    var statistics = counts
    statistics.sockets = sockets.statistics
    statistics.unsendable = sockets.unsendable
    statistics.membershipErrors = sockets.memberships.errors
    statistics.outgoingLink = outgoing?.statistics
    statistics.incomingLink = incoming?.statistics
    return statistics
  }

  /// Runs on the calling thread until the loop is stopped, and closes the sockets.
  public func run() {
    loop.run { [unowned self] now in wake(at: now) }
    end()
  }

  /// One wake: what `run` has the loop call. For a loop that several drivers share, whose own
  /// `tick` calls this of each of them and returns the earliest of what they return: when each has
  /// to be called again at the latest.
  public func wake(at now: Instant) -> Instant? {
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
    flush()
    var deadline = Instant.earlier(peer.deadline, application.deadline)
    deadline = Instant.earlier(deadline, outgoing?.deadline)
    return Instant.earlier(deadline, incoming?.deadline)
  }

  /// Lets `body` act on the application and the transport; on the loop's thread, or before it
  /// runs. What it leads to is sent at the end of this wake.
  public func perform<Result: ~Copyable, Failure: Error>(
    _ body: (inout Application, inout LANPeer, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&application, &peer, loop.now)
  }

  // MARK: Datagrams

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
        offer(transmit, at: now)
      }
    }
    while let (path, datagram) = outgoing?.nextDue(at: now) {
      sockets.append(datagram.span, to: path)
    }
  }

  /// Puts what is in the buffer on the emulated link, each datagram by itself.
  private func offer(_ transmit: Transmit, at now: Instant) {
    let size = max(1, transmit.segmentSize ?? buffer.count)
    for start in stride(from: 0, to: buffer.count, by: size) {
      let datagram = Array(buffer[start..<min(start + size, buffer.count)])
      outgoing?.offer(
        (path: transmit.path, datagram: datagram), size: datagram.count,
        peer: transmit.path.remote, at: now)
    }
  }

  private func flush() {
    for (socket, needsWritable) in sockets.flush() {
      // The descriptor is registered, and there is no other outcome.
      try? loop.setInterest(
        needsWritable ? [.readable, .writable] : .readable, of: socket.fileDescriptor)
    }
  }

  func receive(from socket: UDPSocket) {
    let now = loop.now
    do throws(SystemError) {
      // What is left over is told again in the next round.
      _ = try socket.receive { datagram, arrival in
        if incoming == nil {
          peer.receive(datagram, arrival: arrival, at: now)
        } else {
          incoming?.offer(
            (arrival: arrival, datagram: datagram.copy(0..<datagram.count)), size: datagram.count,
            peer: arrival.path.remote, at: now)
        }
      }
    } catch {
      giveUp(socket.fileDescriptor, for: error)
      sockets.remove(socket)
    }
  }

  // MARK: Descriptors

  private func register() throws(UDPOpenError) {
    do throws(SystemError) {
      for socket in sockets.all { try register(socket) }
      guard let monitor else { return }
      try loop.register(monitor.fileDescriptor, for: .readable) { [unowned self] _ in
        noteInterfaceChange()
      }
    } catch { throw .system(error) }
  }

  private func register(_ socket: UDPSocket) throws(SystemError) {
    try loop.register(socket.fileDescriptor, for: .readable) { [unowned self] readiness in
      // An error is read too, or it would be told for ever.
      if readiness != .writable { receive(from: socket) }
    }
  }

  /// Listens no more to a descriptor that can only fail again, and would keep the loop spinning.
  private func giveUp(_ descriptor: Int32, for error: SystemError) {
    loop.unregister(descriptor)
    counts.deafDescriptors[error.code, default: 0] &+= 1
  }

  /// Has to come before the descriptors are closed: their numbers may soon be those of others.
  private func unregister() {
    for socket in sockets.all { loop.unregister(socket.fileDescriptor) }
    if let monitor { loop.unregister(monitor.fileDescriptor) }
  }

  private func end() {
    // A real network would carry what is still on the emulated link although we are gone.
    while let deadline = outgoing?.deadline, let sent = outgoing?.nextDue(at: deadline) {
      sockets.append(sent.datagram.span, to: sent.path)
    }
    _ = sockets.flush()
    unregister()
    for socket in sockets.all { sockets.remove(socket) }
    monitor = nil
  }

  // MARK: Interfaces

  private static func currentInterfaces() throws(UDPOpenError) -> [NetworkInterface] {
    do throws(SystemError) {
      return try NetworkInterfaces.current()
    } catch { throw .system(error) }
  }

  private func noteInterfaceChange() {
    guard let monitor else { return }
    do throws(SystemError) {
      guard try monitor.drain() else { return }
      counts.interfaceChanges &+= 1
      updateInterfaces()
    } catch {
      giveUp(monitor.fileDescriptor, for: error)
    }
  }

  private func updateInterfaces() {
    do throws(SystemError) {
      interfaces = try NetworkInterfaces.current()
    } catch {
      // The old ones are the best there is.
      counts.interfaceErrors[error.code, default: 0] &+= 1
    }
    peer.interfacesChanged(interfaces, at: loop.now)
    for socket in sockets.memberships.set(peer.discovery.memberships) {
      do throws(SystemError) {
        try register(socket)
      } catch {
        counts.deafDescriptors[error.code, default: 0] &+= 1
      }
    }
  }
}
