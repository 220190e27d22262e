/// No Swift file has more than 400 lines.
enum FileLength {
  static let limit = 400

  static func violations(in files: [SourceFile]) -> [String] {
    files.filter { $0.isSwift && $0.lines.count > limit }.map { file in
      file.violation(
        limit, "has \(file.lines.count) lines of at most \(limit); move a part to a file of its own"
      )
    }
  }
}
