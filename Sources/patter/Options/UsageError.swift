/// What is wrong with the arguments of a command.
enum UsageError: Error, Hashable, Sendable {
  case unknownCommand(String, suggestion: String?)
  case unknownOption(String, suggestion: String?)
  /// `next` is the argument that stood in the place of the value, if there was one.
  case missingValue(name: String, placeholder: String, next: String?)
  /// A flag was given a value.
  case superfluousValue(String)
  case repeatedOption(String)
  case badValue(name: String, value: String, expected: String)
  /// A value that was looked at more closely; in words what is wrong with it.
  case unusableValue(name: String, value: String, reason: String)
  case missingArgument(String)
  case unexpectedArgument(String)
  /// Options that are right one by one do not go together; in words.
  case conflict(String)
}

extension UsageError: CustomStringConvertible {
  /// One line without a line end; what the user typed is made harmless and not longer than needed.
  var description: String {
    switch self {
    case .unknownCommand(let name, let suggestion):
      "unknown command \(quote(name))\(hint(suggestion))"
    case .unknownOption(let name, let suggestion):
      "unknown option \(quote(name))\(hint(suggestion))"
    case .missingValue(let name, let placeholder, nil):
      "\(name) needs a value: \(name) \(placeholder)"
    case .missingValue(let name, let placeholder, let next?):
      "\(name) needs a value: \(name) \(placeholder) "
        + "(if \(quote(next)) is meant, write \(quote("\(name)=\(next)")))"
    case .superfluousValue(let name): "\(name) takes no value"
    case .repeatedOption(let name): "\(name) may be given only once"
    case .badValue(let name, let value, let expected):
      "bad value \(quote(value)) for \(name): expected \(expected)"
    case .unusableValue(let name, let value, let reason):
      "bad value \(quote(value)) for \(name): \(TerminalText.line(reason))"
    case .missingArgument(let placeholder): "\(placeholder) is missing"
    case .unexpectedArgument(let word): "unexpected argument \(quote(word))"
    case .conflict(let words): TerminalText.line(words)
    }
  }
}

private func quote(_ text: String) -> String {
  let longest = 64
  let shown = text.count <= longest ? text : text.prefix(longest) + "…"
  return "'\(TerminalText.name(shown))'"
}

private func hint(_ suggestion: String?) -> String {
  suggestion.map { "; did you mean \($0)?" } ?? ""
}
