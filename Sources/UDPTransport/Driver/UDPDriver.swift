public import ChatTransport
import DatagramPeer
import NetworkEmulator
public import PeerDiscovery
public import Primitives
public import SocketDriver

/// Runs a peer on the local network and the application above it on an event loop: a
/// `MachineDriver`, with the sockets that discovery needs, which follow the host's interfaces.
public final class UDPDriver<Application: TransportApplication & ~Copyable> {
  /// The interfaces in use when last looked.
  public private(set) var interfaces: [NetworkInterface]

  let core: MachineDriver<LANPeer, Application>
  private let sockets: LANSockets
  /// Gone once the loop has ended.
  private var monitor: InterfaceMonitor?
  private var interfaceChanges: UInt64 = 0
  private var interfaceErrors: [Int32: UInt64] = [:]

  /// Opens all sockets, and calls the addresses that the configuration names.
  public init(
    _ configuration: UDPConfiguration, application: consuming Application, loop: EventLoop
  ) throws(UDPOpenError) {
    let discovery = configuration.discovery
    interfaces = try Self.currentInterfaces()
    for name in discovery.interfaceNames where !interfaces.contains(where: { $0.name == name }) {
      throw .noSuchInterface(name, known: interfaces.map(\.name))
    }
    sockets = try LANSockets(
      port: discovery.port, families: Set(IPAddress.Family.allCases),
      options: configuration.sockets)
    let seed: UInt64
    let secrets: (Secret, Secret)
    let monitor: InterfaceMonitor
    do throws(SystemError) {
      monitor = try InterfaceMonitor()
      seed = try SystemRandom.uint64()
      secrets = (try SystemRandom.secret(), try SystemRandom.secret())
    } catch { throw .system(error) }
    self.monitor = monitor
    var datagram = configuration.datagram
    datagram.topics = configuration.topics.sorted().map(\.hash)
    let peer = LANPeer(
      endpoint: DatagramEndpoint(
        configuration: datagram, local: configuration.local, secret: secrets.0),
      discovery: Discovery(
        configuration: discovery, local: configuration.local, name: configuration.name,
        topics: configuration.topics, secret: secrets.1))
    core = try MachineDriver(
      peer, application: application, sockets: sockets,
      busyPolling: configuration.sockets.busyPolling, impairment: configuration.impairment,
      seed: seed, loop: loop)
    do throws(SystemError) {
      try loop.register(monitor.fileDescriptor, for: .readable) { [unowned self] _ in
        noteInterfaceChange()
      }
    } catch { throw .system(error) }
    updateInterfaces()
    for address in configuration.connect {
      core.machine.connect(to: Path(remote: address, interface: address.scope), at: loop.now)
    }
  }

  deinit { closeMonitor() }

  public var loop: EventLoop { core.loop }

  public var peer: LANPeer {
    _read { yield core.machine }
  }

  public var application: Application {
    _read { yield core.application }
    _modify { yield &core.application }
  }

  /// The ports on which we can be reached, by family; none once `run` has returned.
  public var ports: [(family: IPAddress.Family, port: UInt16)] { sockets.ownPorts }

  /// What the driver and its sockets have done.
  public var statistics: UDPDriverStatistics {
    var statistics = core.statistics
    statistics.membershipErrors = sockets.memberships.errors
    statistics.interfaceChanges = interfaceChanges
    statistics.interfaceErrors = interfaceErrors
    return statistics
  }

  /// Runs on the calling thread until the loop is stopped, and closes the sockets.
  public func run() {
    core.run()
    closeMonitor()
  }

  /// One wake; see `MachineDriver.wake`.
  public func wake(at now: Instant) -> Instant? { core.wake(at: now) }

  /// Lets `body` act on the application and the transport; on the loop's thread, or before it
  /// runs. What it leads to is sent at the end of this wake.
  public func perform<Result: ~Copyable, Failure: Error>(
    _ body: (inout Application, inout LANPeer, Instant) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.perform(body)
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
      interfaceChanges &+= 1
      updateInterfaces()
    } catch {
      core.giveUp(monitor.fileDescriptor, for: error)
    }
  }

  private func updateInterfaces() {
    do throws(SystemError) {
      interfaces = try NetworkInterfaces.current()
    } catch {
      // The old ones are the best there is.
      interfaceErrors[error.code, default: 0] &+= 1
    }
    core.machine.interfacesChanged(interfaces, at: loop.now)
    for socket in sockets.memberships.set(core.machine.discovery.memberships) {
      do throws(SystemError) {
        try core.listen(to: socket)
      } catch {
        core.deafDescriptors[error.code, default: 0] &+= 1
      }
    }
  }

  private func closeMonitor() {
    if let monitor { loop.unregister(monitor.fileDescriptor) }
    monitor = nil
  }
}
