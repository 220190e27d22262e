import Host
import Primitives
import SocketDriver

/// Writes lines to the standard streams.
final class Output {
  /// What has become of standard output.
  enum State {
    case open
    /// Its reader is slow; more is written when it has taken what there is.
    case waiting
    /// Nobody reads it any more, or it cannot be written.
    case gone
  }

  private(set) var state = State.open
  /// Whether standard output could not be written, for another reason than that nobody reads it any
  /// more: the disk is full, or there is none.
  private(set) var hasFailed = false

  private let standardOutput = FileOutput.standardOutput()
  private let standardError = FileOutput.standardError()
  private var loop: EventLoop?

  /// From now on does not hold up `loop`, on whose thread this is, for a slow reader of standard
  /// output: it is told when there is room again.
  func follow(_ loop: EventLoop) throws(SystemError) {
    try loop.register(Self.descriptor, for: []) { [unowned self] _ in flush() }
    standardOutput.waitsForReader = false
    standardError.waitsForReader = false
    self.loop = loop
  }

  /// Writes what still waits, for as long as that takes, and leaves the loop alone.
  func finish() {
    loop?.unregister(Self.descriptor)
    loop = nil
    standardOutput.waitsForReader = true
    standardError.waitsForReader = true
    standardError.flush()
    flush()
  }

  /// Writes each line with a line end behind it to its stream.
  func write(_ lines: [OutputLine]) {
    guard !lines.isEmpty else { return }
    for line in lines {
      switch line.stream {
      case .standardOutput: standardOutput.append(line: line.text)
      case .standardError: standardError.append(line: line.text)
      }
    }
    standardError.flush()
    flush()
  }

  private static let descriptor: Int32 = 1

  private func flush() {
    standardError.flush()
    switch standardOutput.flush() {
    case .written: state = standardOutput.isWaiting ? .waiting : .open
    case .closed: state = .gone
    case .failed(let error): fail(error)
    }
    // Where the loop cannot watch it, it counts as always writable.
    try? loop?.setInterest(state == .waiting ? .writable : [], of: Self.descriptor)
  }

  private func fail(_ error: SystemError) {
    state = .gone
    guard !hasFailed else { return }
    hasFailed = true
    standardError.append(line: "patter: standard output cannot be written: \(error.reason)")
    standardError.flush()
  }

  /// Tells of what ended a command, and returns its exit code.
  func report(_ failure: CommandFailure, by command: String) -> ExitCode {
    switch failure {
    case .usage(let error):
      write(UsageFailure(command: command, error: error).lines)
      return .usage
    case .network(let words):
      write([.error("\(command): \(TerminalText.line(words))")])
      return .networkUnusable
    case .identityInUse(let words):
      write([.error("\(command): \(TerminalText.line(words))")])
      return .identityInUse
    case .internal(let words):
      write([.error("\(command): \(TerminalText.line(words))")])
      return .internalError
    }
  }
}
