import ChatTransport
import Host
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

/// `patter who`: lists who is here without joining.
enum WhoCommand {
  static func run(_ options: WhoOptions) -> ExitCode {
    let output = Output()
    do throws(CommandFailure) {
      return try run(options, output: output)
    } catch {
      return output.report(error, by: "patter who")
    }
  }

  private static func run(
    _ options: WhoOptions, output: Output
  ) throws(CommandFailure) -> ExitCode {
    let signals: Signals
    let loop: EventLoop
    let incarnation: Incarnation
    do throws(SystemError) {
      signals = try Signals()
      loop = try EventLoop()
      incarnation = Incarnation(
        identity: Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64()),
        epoch: WallClock.millisecondsSince1970)
    } catch { throw .network("\(error)") }
    var configuration: UDPConfiguration
    do throws(UsageError) {
      configuration = try options.network.configuration(local: incarnation, name: "")
    } catch { throw .usage(error) }
    configuration.discovery.isObserver = true
    let driver: UDPDriver<WhoProgram>
    do throws(UDPOpenError) {
      driver = try UDPDriver(
        configuration,
        application: WhoProgram(until: loop.now + options.wait, loop: loop.handle), loop: loop)
    } catch { throw CommandFailure(error) }
    var signal: Signals.Signal?
    do throws(SystemError) {
      try loop.register(signals.fileDescriptor, for: .readable) { _ in
        signal = (try? signals.next()) ?? signal
        loop.handle.stop()
      }
    } catch { throw .network("\(error)") }
    driver.run()
    let rows = driver.peer.discovery.sightings(at: loop.now).map { sighting in
      WhoRow(
        incarnation: sighting.incarnation, name: sighting.name,
        addresses: sighting.paths.map { driver.interfaceAddress($0.remote, on: $0.interface) })
    }
    let presenter = WhoPresenter(
      room: options.network.room, wait: options.wait, printsJSON: options.printsJSON)
    output.write(presenter.lines(for: rows))
    switch signal {
    case .interrupt: return .interrupted
    case .hangUp, .terminate: return .terminated
    case nil: return rows.isEmpty ? .noPeer : .done
    }
  }
}

/// Waits until it has listened long enough.
private struct WhoProgram: TransportApplication {
  let end: Instant
  let loop: EventLoop.Handle

  init(until end: Instant, loop: EventLoop.Handle) {
    self.end = end
    self.loop = loop
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while transport.nextEvent() != nil {}
    if now >= end { loop.stop() }
  }

  var deadline: Instant? { end }
}
