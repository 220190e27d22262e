/// One sequence of bytes with messages in it: a channel and one of the two reliable kinds.
struct StreamID: Hashable, Comparable {
  var channel: UInt8
  var isOrdered: Bool

  /// Small and dense: two for each channel.
  var rawValue: UInt16 { UInt16(channel) << 1 | (isOrdered ? 1 : 0) }

  static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
}

/// Finds the place of a stream in a table to which streams are only ever added: at most 512.
struct StreamTable {
  private struct Entry {
    var id: UInt16
    var index: UInt16
  }

  /// In ascending order of the identifiers.
  private var entries: [Entry] = []
  private var latest = Entry(id: .max, index: 0)

  /// The place of a stream. Most calls are for the same one as the call before.
  mutating func index(of id: StreamID) -> Int? {
    if latest.id == id.rawValue { return Int(latest.index) }
    let position = position(of: id.rawValue)
    guard position < entries.count, entries[position].id == id.rawValue else { return nil }
    latest = entries[position]
    return Int(latest.index)
  }

  /// The same, where nothing may be changed.
  func find(_ id: StreamID) -> Int? {
    if latest.id == id.rawValue { return Int(latest.index) }
    let position = position(of: id.rawValue)
    guard position < entries.count, entries[position].id == id.rawValue else { return nil }
    return Int(entries[position].index)
  }

  /// Adds a stream that is not there yet, at the end of the table.
  mutating func append(_ id: StreamID) {
    let entry = Entry(id: id.rawValue, index: UInt16(entries.count))
    entries.insert(entry, at: position(of: id.rawValue))
    latest = entry
  }

  /// The first place whose identifier is not smaller.
  private func position(of id: UInt16) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
