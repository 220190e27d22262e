import ChatTransport

/// Records that came before the greeting of their author, as they may where neither is ordered.
struct WaitingRecords: Sendable {
  /// What waits for the greeting of one author.
  struct Entry: Sendable {
    let author: Incarnation
    /// In order of sequence.
    var lines: [Line] = []
    /// Lines up to here found no room to wait.
    var droppedUpTo: UInt64 = 0
    var withheld: [ClosedRange<UInt64>] = []
    var farewell: Farewell?

    init(author: Incarnation) {
      self.author = author
    }
  }

  /// What a record of the kind `bye` says.
  struct Farewell: Sendable {
    var last: UInt64
    var isUnreliable: Bool
  }

  private var entries: [Entry] = []
  private var lineCount = 0
  private var cost = 0

  /// Keeps a line. Beyond the limits the earliest lines of the same author are dropped; returns
  /// whether nothing was.
  mutating func keep(_ line: Line, by author: Incarnation, limits: WaitingLimits) -> Bool {
    guard let index = entry(of: author, limits: limits) else { return false }
    guard line.sequence > entries[index].droppedUpTo else { return false }
    let position = entries[index].lines.position(of: line.sequence)
    if position < entries[index].lines.count,
      entries[index].lines[position].sequence == line.sequence
    {
      return true
    }
    entries[index].lines.insert(line, at: position)
    lineCount += 1
    cost += line.cost
    var isComplete = true
    while lineCount > limits.lines || cost > limits.cost, !entries[index].lines.isEmpty {
      let dropped = entries[index].lines.removeFirst()
      entries[index].droppedUpTo = dropped.sequence
      lineCount -= 1
      cost -= dropped.cost
      isComplete = false
    }
    return isComplete
  }

  mutating func keep(_ farewell: Farewell, by author: Incarnation, limits: WaitingLimits) -> Bool {
    guard let index = entry(of: author, limits: limits) else { return false }
    entries[index].farewell = farewell
    return true
  }

  mutating func keep(
    withheld lines: ClosedRange<UInt64>, by author: Incarnation, limits: WaitingLimits
  ) -> Bool {
    guard let index = entry(of: author, limits: limits),
      entries[index].withheld.count < limits.withheld
    else { return false }
    entries[index].withheld.append(lines)
    return true
  }

  /// Takes out what waits for an author's greeting.
  mutating func take(_ author: Incarnation) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.author == author }) else { return nil }
    let entry = entries.remove(at: index)
    lineCount -= entry.lines.count
    cost -= entry.lines.reduce(0) { $0 + $1.cost }
    return entry
  }

  private mutating func entry(of author: Incarnation, limits: WaitingLimits) -> Int? {
    if let index = entries.firstIndex(where: { $0.author == author }) { return index }
    guard entries.count < limits.authors else { return nil }
    entries.append(Entry(author: author))
    return entries.count - 1
  }
}
