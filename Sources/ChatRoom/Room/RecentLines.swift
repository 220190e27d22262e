import Primitives

/// What we said just now, for those who appear just after it.
struct RecentLines: Sendable {
  struct Entry: Sendable {
    let sequence: UInt64
    let saidAt: Instant
    /// The message as it was sent.
    let payload: [UInt8]
  }

  private(set) var entries: ArraySlice<Entry> = []
  private var byteCount = 0

  mutating func append(_ entry: Entry, _ configuration: ChatRoom.Configuration) {
    entries.append(entry)
    byteCount += entry.payload.count
    while entries.count > configuration.recentLineLimit
      || byteCount > configuration.recentByteLimit
    {
      removeFirst()
    }
    expire(at: entry.saidAt, configuration)
  }

  /// Forgets what is not recent any more.
  mutating func expire(at now: Instant, _ configuration: ChatRoom.Configuration) {
    while let first = entries.first, now - first.saidAt >= configuration.recentInterval {
      removeFirst()
    }
  }

  private mutating func removeFirst() {
    guard let first = entries.popFirst() else { return }
    byteCount -= first.payload.count
  }
}
