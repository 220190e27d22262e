import ChatTransport
import DatagramPeer
import Host
import Primitives
import SocketDriver
import UDPTransport

/// Runs workloads over the datagram protocol and real sockets, on the loop's thread. All that
/// depends on how a machine is driven is here.
enum PatterRun {
  typealias Driver<Application: TransportApplication> = MachineDriver<
    DatagramEndpoint, Application
  >

  /// Waits at `address` for others, until `isOver` is told so.
  static func serve<Application: TransportApplication>(
    _ application: Application, at address: SocketAddress, _ settings: PatterSettings,
    isOver: (inout Application, Instant) -> Bool
  ) throws(BenchmarkError) -> Application {
    do {
      let loop = try EventLoop()
      let trace = try settings.trace(of: "server", on: loop)
      let driver = try driver(application, at: address, settings, loop)
      if let trace { driver.record(into: trace.recorder) }
      run(loop, [driver], isOver: { isOver(&$0[0].application, $1) })
      try trace?.end(at: loop.now)
      return driver.application
    } catch { throw .failed("patter", "\(error)") }
  }

  /// Calls `address` with each of the applications, over a connection of its own.
  static func dial<Application: TransportApplication>(
    _ applications: [Application], to address: SocketAddress, _ settings: PatterSettings,
    isOver: (Application, Instant) -> Bool
  ) throws(BenchmarkError) -> [Application] {
    do {
      let loop = try EventLoop()
      let trace = try settings.trace(of: "client", on: loop)
      let any =
        address.ip.family == .ipv4 ? IPAddress(0, 0, 0, 0) : IPAddress(ipv6High: 0, low: 0)
      var drivers: [Driver<Application>] = []
      for application in applications {
        let driver = try driver(
          application, at: SocketAddress(ip: any, port: 0), settings, loop)
        if let trace { driver.record(into: trace.recorder) }
        driver.perform { _, machine, now in
          machine.connect(to: Path(remote: address), at: now)
        }
        drivers.append(driver)
      }
      run(loop, drivers) { drivers, now in
        drivers.allSatisfy { isOver($0.application, now) }
      }
      try trace?.end(at: loop.now)
      return drivers.map(\.application)
    } catch { throw .failed("patter", "\(error)") }
  }

  /// How long it goes on after the end, so that the other side hears of it.
  private static let farewell = Interval.milliseconds(300)

  private static func run<Application: TransportApplication>(
    _ loop: EventLoop, _ drivers: [Driver<Application>],
    isOver: ([Driver<Application>], Instant) -> Bool
  ) {
    var end: Instant?
    withoutActuallyEscaping(isOver) { isOver in
      loop.run { now in
        var deadline: Instant?
        for driver in drivers { deadline = Instant.earlier(deadline, driver.wake(at: now)) }
        if end == nil, isOver(drivers, now) {
          for driver in drivers { driver.perform { _, machine, now in machine.close(at: now) } }
          for driver in drivers { deadline = Instant.earlier(deadline, driver.wake(at: now)) }
          end = now + farewell
        }
        if let end, now >= end { loop.handle.stop() }
        return Instant.earlier(deadline, end)
      }
    }
  }

  private static func driver<Application: TransportApplication>(
    _ application: Application, at address: SocketAddress, _ settings: PatterSettings,
    _ loop: EventLoop
  ) throws -> Driver<Application> {
    var options = UDPSocketOptions()
    // As large as those of the floors.
    options.receiveBufferSize = 8 << 20
    options.sendBufferSize = 8 << 20
    options.busyPolling = settings.busyPolling
    return try MachineDriver(
      try endpoint(settings), application: application, address: address, options: options,
      loop: loop)
  }

  private static func endpoint(
    _ settings: PatterSettings
  ) throws(SystemError) -> DatagramEndpoint {
    let identity = Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64())
    return DatagramEndpoint(
      configuration: settings.configuration,
      local: Incarnation(identity: identity, epoch: WallClock.millisecondsSince1970),
      secret: try SystemRandom.secret())
  }
}
