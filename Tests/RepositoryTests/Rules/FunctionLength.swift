/// No function has more than 70 lines, from the line of its name to its last brace.
enum FunctionLength {
  static let limit = 70

  static func violations(in files: [SourceFile]) -> [String] {
    files.filter(\.isSwift).flatMap { file in
      functions(in: file).filter { $0.length > limit }.map { function in
        file.violation(
          function.line,
          "\(function.name) has \(function.length) lines of at most \(limit); "
            + "give a part of it a name of its own")
      }
    }
  }

  struct Function: Equatable {
    var name: String
    /// Counted from zero.
    var line: Int
    var length: Int
  }

  /// All functions, initializers, subscripts and computed properties, in the order in which they
  /// end.
  static func functions(in file: SourceFile) -> [Function] {
    var counter = BraceCounter()
    let tokens = tokens(of: file.code)
    for (index, token) in tokens.enumerated() {
      counter.take(
        token, after: index > 0 ? tokens[index - 1].text : "",
        before: index + 1 < tokens.count ? tokens[index + 1].text : "")
    }
    return counter.functions
  }

  private static func tokens(of code: [String]) -> [Token] {
    var tokens: [Token] = []
    for (line, text) in code.enumerated() {
      var word = ""
      for character in text + " " {
        if character.isLetter || character.isNumber || character == "_" {
          word.append(character)
          continue
        }
        if !word.isEmpty { tokens.append(Token(text: word, line: line)) }
        word = ""
        if character != " " { tokens.append(Token(text: String(character), line: line)) }
      }
    }
    return tokens
  }
}

private struct Token {
  var text: String
  var line: Int
}

/// Finds the braces that belong to functions.
private struct BraceCounter {
  var functions: [FunctionLength.Function] = []
  private var open: [Declaration?] = []
  private var pending: Declaration?
  private var parentheses = 0

  private struct Declaration {
    var name: String
    var line: Int
    var parentheses: Int
    /// Whether its brace has to stand on the same line: a stored property has none.
    var onSameLine: Bool
  }

  /// Words that start another declaration, so that the one before had no body.
  private static let starts: Set = [
    "let", "case", "struct", "class", "enum", "extension", "protocol", "associatedtype",
    "typealias", "actor", "static", "mutating", "public", "private", "internal",
  ]

  mutating func take(_ token: Token, after previous: String, before next: String) {
    if let waiting = pending, waiting.onSameLine, waiting.line != token.line { pending = nil }
    switch token.text {
    case "(", "[": parentheses += 1
    case ")", "]": parentheses -= 1
    case "func", "var": declare(next, token, onSameLine: token.text == "var")
    case "init", "deinit", "subscript":
      if previous != ".", ["(", "<", "?", "!", "{"].contains(next) {
        declare(token.text, token, onSameLine: false)
      }
    case "=":
      if pending?.onSameLine == true { pending = nil }
    case "{":
      let isBody = pending?.parentheses == parentheses
      open.append(isBody ? pending : nil)
      if isBody { pending = nil }
    case "}":
      // A closure among the parameters leaves the function waiting for its body.
      if pending?.parentheses == parentheses { pending = nil }
      guard let closed = open.popLast() ?? nil else { return }
      functions.append(
        .init(name: closed.name, line: closed.line, length: token.line - closed.line + 1))
    default:
      if Self.starts.contains(token.text), pending?.parentheses == parentheses { pending = nil }
    }
  }

  private mutating func declare(_ name: String, _ token: Token, onSameLine: Bool) {
    pending = Declaration(
      name: name, line: token.line, parentheses: parentheses, onSameLine: onSameLine)
  }
}
