/// One line for one of the standard streams, without its line end.
struct OutputLine: Hashable, Sendable {
  enum Stream: Hashable, Sendable {
    /// Data, and nothing else.
    case standardOutput
    /// Everything that is not data.
    case standardError
  }

  var stream: Stream
  /// The text; it holds no line end and no other control character.
  var text: String

  static func out(_ text: String) -> OutputLine {
    OutputLine(stream: .standardOutput, text: text)
  }

  static func error(_ text: String) -> OutputLine {
    OutputLine(stream: .standardError, text: text)
  }
}
