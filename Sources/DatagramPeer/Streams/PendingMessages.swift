/// Messages of a `reliable` stream whose start is known and that were not handed over: those that
/// are not whole yet, and runs of whole ones that wait until the user reads again. In the order of
/// their places.
struct PendingMessages {
  struct Entry: Equatable {
    var start: UInt64
    /// Where it ends, as far as that is known; always known where it is whole.
    var end: UInt64?
    var isWhole = false
  }

  private(set) var entries: [Entry] = []
  /// How many entries are whole.
  private(set) var wholeCount = 0

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var first: Entry? { entries.first }

  /// The index of the last entry that starts at `offset` or before.
  func index(atOrBefore offset: UInt64) -> Int? {
    let index = firstIndex(above: offset)
    return index > 0 ? index - 1 : nil
  }

  /// Adds a message that is not whole yet, where it is not here already; its index.
  mutating func insertOpen(start: UInt64, end: UInt64?) -> Int {
    let index = firstIndex(above: start)
    if index > 0, entries[index - 1].start == start { return index - 1 }
    entries.insert(Entry(start: start, end: end), at: index)
    return index
  }

  /// Adds whole messages in place of what is known about `range`.
  mutating func insertWhole(_ range: Range<UInt64>) {
    _ = cut(range)
    let index = firstIndex(above: range.lowerBound)
    let entry = Entry(start: range.lowerBound, end: range.upperBound, isWhole: true)
    entries.insert(entry, at: index)
    wholeCount += 1
    merge(at: index + 1)
    merge(at: index)
  }

  mutating func setEnd(_ end: UInt64, at index: Int) {
    entries[index].end = end
  }

  /// Notes that the message at `index`, whose end is known, has become whole.
  mutating func setWhole(at index: Int) {
    guard !entries[index].isWhole else { return }
    entries[index].isWhole = true
    wholeCount += 1
    merge(at: index + 1)
    merge(at: index)
  }

  mutating func remove(at index: Int) {
    if entries[index].isWhole { wholeCount -= 1 }
    entries.remove(at: index)
  }

  /// Removes every whole entry.
  mutating func removeWhole() {
    entries.removeAll { $0.isWhole }
    wholeCount = 0
  }

  /// Removes what lies in `range`; returns whether that cut no message in two. Runs of whole
  /// messages are taken to be cut between messages.
  mutating func cut(_ range: Range<UInt64>) -> Bool {
    let from = firstIndex(above: range.lowerBound) - 1
    var isClean = true
    var index = max(from, 0)
    while index < entries.count, entries[index].start < range.upperBound {
      let entry = entries[index]
      guard entry.start >= range.lowerBound || (entry.end ?? 0) > range.lowerBound else {
        index += 1
        continue
      }
      let reachesOut = (entry.end ?? 0) > range.upperBound
      if !entry.isWhole, reachesOut || entry.start < range.lowerBound { isClean = false }
      remove(at: index)
      guard entry.isWhole, let end = entry.end else { continue }
      if entry.start < range.lowerBound {
        insertPart(entry.start..<range.lowerBound, at: &index)
      }
      if reachesOut { insertPart(range.upperBound..<end, at: &index) }
    }
    return isClean
  }

  /// Removes everything; the memory goes back.
  mutating func removeAll() {
    self = PendingMessages()
  }

  private mutating func insertPart(_ range: Range<UInt64>, at index: inout Int) {
    let part = Entry(start: range.lowerBound, end: range.upperBound, isWhole: true)
    entries.insert(part, at: index)
    wholeCount += 1
    index += 1
  }

  /// Makes the entry at `index` one with the one before where both are whole and touch.
  private mutating func merge(at index: Int) {
    guard index > 0, index < entries.count, entries[index].isWhole, entries[index - 1].isWhole,
      entries[index - 1].end == entries[index].start
    else { return }
    entries[index - 1].end = entries[index].end
    entries.remove(at: index)
    wholeCount -= 1
  }

  private func firstIndex(above offset: UInt64) -> Int {
    guard let last = entries.last, last.start > offset else { return entries.count }
    var (low, high) = (0, entries.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
