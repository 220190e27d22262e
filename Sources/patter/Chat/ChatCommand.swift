import ChatCodec
import ChatRoom
import ChatTransport
import DatagramPeer
import Host
import NetworkEmulator
import PeerDiscovery
import Primitives
import SocketDriver
import UDPTransport

/// `patter chat`: line mode.
enum ChatCommand {
  static func run(_ options: ChatOptions, output: Output) -> ExitCode {
    do throws(CommandFailure) {
      return try runOrFail(options, output: output)
    } catch {
      return output.report(error, by: "patter chat")
    }
  }

  private static func runOrFail(
    _ options: ChatOptions, output: Output
  ) throws(CommandFailure) -> ExitCode {
    let name = try chatName(options.name)
    let identity = try OwnIdentity(file: options.identityFile)
    var configuration: UDPConfiguration
    do throws(UsageError) {
      configuration = try options.network.configuration(
        local: identity.incarnation, name: name.text)
      if let text = options.impairment {
        configuration.impairment = try ImpairmentSetting(option: text)
      }
    } catch { throw .usage(error) }
    configuration.discovery.isEnabled = options.usesDiscovery
    let signals: Signals
    let loop: EventLoop
    let input: ChatInput
    do throws(SystemError) {
      // Before anything could start a thread, but after names were looked up, which may take long
      // and has to be interruptible; the loop's time begins here.
      signals = try Signals()
      loop = try EventLoop()
      input = try ChatInput(on: loop)
    } catch { throw .network("\(error)") }
    var trace: ChatTrace?
    if let file = options.traceFile {
      trace = try ChatTrace(path: file, start: loop.now, output: output)
      configuration.datagram.isTracing = true
    }
    let program = ChatProgram(
      room: ChatRoom(
        configuration: ChatRoom.Configuration(
          room: options.network.room, delivery: options.delivery),
        self: identity.incarnation),
      presenter: options.printsJSON
        ? JSONChatPresenter(room: options.network.room) : TextChatPresenter(),
      input: input, output: output, loop: loop.handle, startedAt: loop.now)
    let driver: UDPDriver<ChatProgram>
    do throws(UDPOpenError) {
      driver = try UDPDriver(configuration, application: program, loop: loop)
    } catch { throw CommandFailure(error) }
    if let trace { driver.record(into: trace.recorder) }
    try start(driver, name: name, options: options, output: output)
    do throws(SystemError) {
      try handle(signals, driver)
      try output.follow(loop)
    } catch { throw .network("\(error)") }
    driver.run()
    trace?.recorder.end(at: loop.now)
    // After a signal nobody waits for a reader who does not read; and while we do, one ends it.
    signals.letThrough()
    if !driver.application.wasInterrupted { output.finish() }
    let code = driver.application.exitCode
    return code == .done && trace?.hasFailed == true ? .internalError : code
  }

  /// The name as given, or that of the user as far as it can be one.
  private static func chatName(_ given: String?) throws(CommandFailure) -> ChatName {
    do throws(ChatNameError) {
      guard let given else {
        if let name = try? ChatName.fitting(UserName.current) { return name }
        return try ChatName("someone")
      }
      return try ChatName(given)
    } catch {
      throw .usage(.unusableValue(name: "--name", value: given ?? "", reason: "\(error)"))
    }
  }

  private static func start(
    _ driver: UDPDriver<ChatProgram>, name: ChatName, options: ChatOptions, output: Output
  ) throws(CommandFailure) {
    do throws(JoinError) {
      try driver.perform { (program, peer, now) throws(JoinError) in
        try program.room.join(as: name, over: &peer, at: now)
      }
    } catch { throw .internal("\(error)") }
    let ready = ReadyInformation(
      incarnation: driver.application.room.incarnation, name: name.text,
      room: options.network.room, addresses: driver.reachableAddresses,
      port: driver.ports.first?.port ?? 0, sharedPort: options.network.port,
      groups: driver.groups)
    output.write(driver.application.presenter.lines(ready: ready))
  }

  /// The first signal leaves in an orderly way, the second at once.
  private static func handle(
    _ signals: Signals, _ driver: UDPDriver<ChatProgram>
  ) throws(SystemError) {
    try driver.loop.register(signals.fileDescriptor, for: .readable) { _ in
      while let signal = try? signals.next() {
        driver.perform { program, peer, now in
          program.interrupt(signal == .interrupt ? .interrupted : .terminated, &peer, at: now)
        }
      }
    }
  }
}
