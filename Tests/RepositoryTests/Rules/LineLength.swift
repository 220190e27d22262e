/// No line of Swift has more than 100 columns.
enum LineLength {
  static let limit = 100

  static func violations(in files: [SourceFile]) -> [String] {
    files.filter(\.isSwift).flatMap { file in
      // Bytes are quicker to count, and there are never more characters than bytes.
      file.lines.indices.filter { file.lines[$0].utf8.count > limit }.compactMap { index in
        let columns = file.lines[index].count
        guard columns > limit else { return nil }
        return file.violation(index, "has \(columns) columns; break the line at \(limit)")
      }
    }
  }
}
