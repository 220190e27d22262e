/// Rows of texts with their columns below each other: the first column to the left, all others to
/// the right.
struct BenchTable {
  private var rows: [[String]]

  init(header: [String]) {
    rows = [header]
  }

  mutating func append(_ row: [String]) {
    precondition(row.count == rows[0].count, "a row has the columns of its table")
    rows.append(row)
  }

  var lines: [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - text.count)
        line += column == 0 ? text + padding : "  " + padding + text
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
