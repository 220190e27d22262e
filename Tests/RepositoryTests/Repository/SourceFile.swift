/// A text file, and for Swift the part of it that is code.
struct SourceFile: Sendable {
  /// The path from the root, with `/` between its parts.
  let path: String
  let lines: [String]
  /// The same lines, in Swift with blanks in place of comments and the insides of strings.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = Self.split(text)
    code = path.hasSuffix(".swift") ? Self.split(blankingCommentsAndStrings(in: text)) : lines
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isMarkdown: Bool { path.hasSuffix(".md") }

  /// The target a file under Sources or Tests belongs to.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && (parts[0] == "Sources" || parts[0] == "Tests")
      ? String(parts[1]) : nil
  }

  var isInTests: Bool { path.hasPrefix("Tests/") }
  var isPure: Bool { path.hasPrefix("Sources/") && Zones.pure.contains(module ?? "") }

  /// `path:line: message`, counting lines from one.
  func violation(_ index: Int, _ message: String) -> String {
    "\(path):\(index + 1): \(message)"
  }

  /// Lines with what continues them: a chain of calls, or what a loop runs over.
  var statements: [(index: Int, text: String)] {
    var statements: [(index: Int, text: String)] = []
    for (index, line) in code.enumerated() {
      let text = String(line.drop { $0 == " " })
      if let last = statements.last, text.hasPrefix(".") || last.text.hasSuffix(" in") {
        statements[statements.count - 1].text += (text.hasPrefix(".") ? "" : " ") + text
      } else {
        statements.append((index, text))
      }
    }
    return statements
  }

  private static func split(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
