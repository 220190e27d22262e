import Primitives

/// Early copies: what a datagram carried goes again a little later, before anybody can know
/// whether it was lost. It is what helps sparse traffic, where no next datagram will take it along.
struct CopySchedule {
  private struct Entry {
    var due: Instant
    /// How many more copies there are, this one among them.
    var count: Int
    var spacing: Interval
    var chunks: [SentChunk]
  }

  /// In ascending order of their times.
  private var entries: [Entry] = []
  /// Datagrams that wait for copies; of more than these no copies are made.
  private static let limit = 32

  var isEmpty: Bool { entries.isEmpty }
  var deadline: Instant? { entries.first?.due }

  mutating func schedule(_ chunks: [SentChunk], _ copies: EarlyCopies, sentAt: Instant) {
    guard copies.count > 0, entries.count < Self.limit else { return }
    insert(
      Entry(
        due: sentAt + copies.spacing, count: copies.count, spacing: copies.spacing,
        chunks: chunks))
  }

  /// What the next copy that is due carries.
  mutating func next(at now: Instant) -> [SentChunk]? {
    guard let first = entries.first, first.due <= now else { return nil }
    entries.removeFirst()
    if first.count > 1 {
      var further = first
      further.count -= 1
      // From now on: a pass that comes late must not send two copies at once.
      further.due = now + first.spacing
      insert(further)
    }
    return first.chunks
  }

  func isDue(at now: Instant) -> Bool { entries.first.map { $0.due <= now } ?? false }

  /// Drops the copies of what has been acknowledged as a whole.
  mutating func dropSettled(in streams: borrowing SendStreams) {
    entries.removeAll { entry in
      for chunk in entry.chunks where !streams.isAcknowledged(chunk) { return false }
      return true
    }
  }

  mutating func removeAll() {
    entries = []
  }

  private mutating func insert(_ entry: Entry) {
    let place = entries.lastIndex { $0.due <= entry.due }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }
}
