/// Makes a file for a rule to find something in, or nothing.
func planted(_ text: String, at path: String = "Sources/ChatRoom/Planted.swift") -> [SourceFile] {
  [SourceFile(path: path, text: text)]
}

/// The line numbers in front of messages about a file with one line of path.
func lineNumbers(_ violations: [String]) -> [Int] {
  violations.compactMap { violation in
    violation.split(separator: ":").dropFirst().first.flatMap { Int($0) }
  }
}
