import ChatRoom
import ChatTransport
import Host
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

/// `patter who`: lists who is here without joining.
enum WhoCommand {
  static func run(_ options: WhoOptions, output: Output) -> ExitCode {
    do throws(CommandFailure) {
      return try runOrFail(options, output: output)
    } catch {
      return output.report(error, by: "patter who")
    }
  }

  private static func runOrFail(
    _ options: WhoOptions, output: Output
  ) throws(CommandFailure) -> ExitCode {
    let incarnation: Incarnation
    do throws(SystemError) {
      incarnation = Incarnation(
        identity: Identity(high: try SystemRandom.uint64(), low: try SystemRandom.uint64()),
        epoch: WallClock.millisecondsSince1970)
    } catch { throw .network("\(error)") }
    var configuration: UDPConfiguration
    do throws(UsageError) {
      configuration = try options.network.configuration(local: incarnation, name: "")
    } catch { throw .usage(error) }
    configuration.discovery.isObserver = true
    let signals: Signals
    let loop: EventLoop
    do throws(SystemError) {
      // After names were looked up, which may take long and has to be interruptible.
      signals = try Signals()
      loop = try EventLoop()
    } catch { throw .network("\(error)") }
    let driver: UDPDriver<WhoProgram>
    do throws(UDPOpenError) {
      driver = try UDPDriver(
        configuration,
        application: WhoProgram(
          room: ChatRoom(
            configuration: ChatRoom.Configuration(room: options.network.room), self: incarnation),
          until: loop.now + options.wait, loop: loop.handle), loop: loop)
    } catch { throw CommandFailure(error) }
    var signal: Signals.Signal?
    do throws(SystemError) {
      try loop.register(signals.fileDescriptor, for: .readable) { _ in
        signal = (try? signals.next()) ?? signal
        loop.handle.stop()
      }
    } catch { throw .network("\(error)") }
    driver.run()
    let rows = rows(driver, at: loop.now)
    let presenter = WhoPresenter(
      room: options.network.room, wait: options.wait, printsJSON: options.printsJSON)
    output.write(presenter.lines(for: rows))
    output.write(
      driver.application.incompatible.map {
        .error("patter who: \(ChatError.incompatible($0).message)")
      })
    switch signal {
    case .interrupt: return .interrupted
    case .hangUp, .terminate: return .terminated
    case nil: return rows.isEmpty ? .noPeer : .done
    }
  }
}

extension WhoCommand {
  /// Those whose beacons were heard, and those who were reached by `--connect` alone.
  private static func rows(_ driver: UDPDriver<WhoProgram>, at now: Instant) -> [WhoRow] {
    let heard = driver.peer.discovery.sightings(at: now).map { sighting in
      WhoRow(
        incarnation: sighting.incarnation, name: sighting.name,
        addresses: sighting.paths.map { driver.interfaceAddress($0.remote, on: $0.interface) })
    }
    let reached = driver.application.members.filter { member in
      !heard.contains { $0.incarnation == member.incarnation }
    }
    return heard
      + reached.map { member in
        WhoRow(
          incarnation: member.incarnation, name: member.name,
          addresses: member.path.map { [driver.interfaceAddress($0.remote, on: $0.interface)] }
            ?? [])
      }
  }
}

/// Listens for as long as it was asked to: to beacons, and without joining to the members of the
/// room at the addresses that were named.
private struct WhoProgram: TransportApplication {
  /// Who was there at the end.
  private(set) var members: [Member] = []
  private var room: ChatRoom
  private let end: Instant
  private let loop: EventLoop.Handle
  private var isClosing = false
  /// Those at the named addresses who speak another version of the protocol.
  private(set) var incompatible: [IncompatibleVersion] = []

  init(room: ChatRoom, until end: Instant, loop: EventLoop.Handle) {
    self.room = room
    self.end = end
    self.loop = loop
  }

  mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      if case .incompatible(let found) = event { incompatible.append(found) }
      room.handle(event, over: &transport, at: now)
    }
    room.advance(over: &transport, at: now)
    while let event = room.nextEvent() {
      if case .closed = event { loop.stop() }
    }
    guard now >= end, !isClosing else { return }
    isClosing = true
    members = room.members
    transport.close(at: now)
  }

  var deadline: Instant? { Instant.earlier(room.deadline, isClosing ? nil : end) }
}
