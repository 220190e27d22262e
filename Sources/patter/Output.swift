import Host
import Primitives

/// Writes lines to the standard streams.
final class Output {
  /// Whether standard output could not be written, for another reason than that nobody reads it any
  /// more: the disk is full, or there is none.
  private(set) var hasFailed = false

  private let standardOutput = FileOutput.standardOutput()
  private let standardError = FileOutput.standardError()

  /// Writes each line with a line end behind it to its stream. Returns whether standard output is
  /// still read by somebody.
  @discardableResult
  func write(_ lines: [OutputLine]) -> Bool {
    guard !lines.isEmpty else { return true }
    for line in lines {
      switch line.stream {
      case .standardOutput: standardOutput.append(line: line.text)
      case .standardError: standardError.append(line: line.text)
      }
    }
    standardError.flush()
    switch standardOutput.flush() {
    case .written: return true
    case .closed: return false
    case .failed(let error):
      guard !hasFailed else { return false }
      hasFailed = true
      standardError.append(line: "patter: standard output cannot be written: \(error.reason)")
      standardError.flush()
      return false
    }
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
