import ChatTransport
import Primitives

/// What became of the bytes that were sent.
extension SendStream {
  /// Takes in that `range`, which `write` returned, has arrived. Appends the identifiers of the
  /// messages that thereby are acknowledged and are to be told: of `reliable` each that is whole,
  /// of `ordered` each that is whole and has nothing missing before it.
  mutating func acknowledge(_ range: Range<UInt64>, ids: inout [MessageID]) {
    let range = max(range.lowerBound, unacknowledged)..<max(range.upperBound, unacknowledged)
    let upper = min(range.upperBound, sentEnd)
    guard range.lowerBound < upper else { return }
    if acknowledged.isEmpty, range.lowerBound == unacknowledged {
      settle(to: upper, tells: true, ids: &ids)
    } else {
      acknowledgeOutOfOrder(range.lowerBound..<upper, ids: &ids)
    }
  }

  /// Whether all of `range`, which `write` returned, is acknowledged.
  func isAcknowledged(_ range: Range<UInt64>) -> Bool {
    guard range.upperBound > unacknowledged else { return true }
    return acknowledged.containsAll(max(range.lowerBound, unacknowledged)..<range.upperBound)
  }

  /// Takes in that `range`, which `write` returned, will not arrive: what of it is not acknowledged
  /// waits to be written as `.lost`.
  mutating func markLost(_ range: Range<UInt64>) {
    var rest = range.clamped(to: unacknowledged..<sentEnd)
    while let gap = acknowledged.firstGap(in: rest) {
      lost.insert(gap)
      rest = gap.upperBound..<rest.upperBound
    }
  }

  /// Gives up each message that expires at `now` or before and is not acknowledged as a whole:
  /// from now on it is sent as a skip, at once, even if nothing of it was sent yet. Appends the
  /// identifiers of these messages.
  mutating func giveUpExpired(at now: Instant, ids: inout [MessageID]) {
    guard nextExpiry <= now.nanoseconds else { return }
    nextExpiry = MessageNote.never
    for position in 0..<notes.count {
      let note = notes[position]
      guard note.expires != MessageNote.never else { continue }
      guard note.expires <= now.nanoseconds else {
        nextExpiry = min(nextExpiry, note.expires)
        continue
      }
      notes[position].expires = MessageNote.never
      let index = Int(note.firstSequence - boundaries.firstSequence)
      guard !isAcknowledged(index) else { continue }
      notes[position].reports = false
      boundaries.giveUp(index)
      ids.append(note.id(of: note.firstSequence))
      if boundaries.end(index) <= sentEnd {
        markLost(boundaries.start(index)..<boundaries.end(index))
      }
    }
  }

  /// Ends the stream, which may not be used any more. Appends the identifiers of all messages whose
  /// acknowledgement was to be told and has not been.
  mutating func removeAll(ids: inout [MessageID]) {
    updateLastNote()
    for position in 0..<notes.count where notes[position].reports {
      let note = notes[position]
      for sequence in note.firstSequence..<note.endSequence
      where isOrdered || !isAcknowledged(Int(sequence - boundaries.firstSequence)) {
        ids.append(note.id(of: sequence))
      }
    }
    self = SendStream(channel: channel, isOrdered: isOrdered, limit: limit)
  }

  /// Whether all of message `index` has arrived.
  func isAcknowledged(_ index: Int) -> Bool {
    guard !acknowledged.isEmpty else { return false }
    let start = max(boundaries.start(index), unacknowledged)
    return acknowledged.containsAll(start..<boundaries.end(index))
  }

  private mutating func acknowledgeOutOfOrder(_ range: Range<UInt64>, ids: inout [MessageID]) {
    if isOrdered || notes.isEmpty {
      acknowledged.insert(range)
    } else {
      updateLastNote()
      // A message becomes whole with bytes that are new, so it is told once.
      var rest = range
      while let gap = acknowledged.firstGap(in: rest) {
        acknowledged.insert(gap)
        tellWhole(touching: gap, ids: &ids)
        rest = gap.upperBound..<rest.upperBound
      }
    }
    lost.remove(range)
    guard let first = acknowledged.first, first.lowerBound == unacknowledged else { return }
    // While the front arrives, what is behind it is known to be out of order no more.
    acknowledged.removeAll(below: first.upperBound)
    settle(to: first.upperBound, tells: isOrdered, ids: &ids)
  }

  /// Lets go of all below `offset`.
  private mutating func settle(to offset: UInt64, tells: Bool, ids: inout [MessageID]) {
    boundaries.dropFirst(to: offset)
    ring.dropFirst(to: offset)
    if !lost.isEmpty { lost.removeAll(below: offset) }
    if !notes.isEmpty { dropNotes(tells: tells, ids: &ids) }
  }

  private mutating func dropNotes(tells: Bool, ids: inout [MessageID]) {
    updateLastNote()
    let next = boundaries.firstSequence
    var dropped = 0
    while dropped < notes.count, notes[dropped].firstSequence < next {
      let note = notes[dropped]
      let end = min(note.endSequence, next)
      if tells, note.reports {
        for sequence in note.firstSequence..<end { ids.append(note.id(of: sequence)) }
      }
      guard end == note.endSequence else {
        notes[dropped].firstID = note.id(of: end).rawValue
        notes[dropped].firstSequence = end
        notes[dropped].count = note.endSequence - end
        break
      }
      dropped += 1
    }
    notes.dropFirst(dropped)
    if notes.isEmpty {
      nextExpiry = MessageNote.never
      isLastNoteOpen = false
    }
  }

  /// Tells the messages that have bytes in `range` and are whole.
  private func tellWhole(touching range: Range<UInt64>, ids: inout [MessageID]) {
    let first = boundaries.index(containing: range.lowerBound)
    let last = boundaries.index(containing: range.upperBound - 1)
    let (from, to) = (
      boundaries.firstSequence + UInt64(first), boundaries.firstSequence + UInt64(last) + 1
    )
    var position = noteIndex(at: from)
    while position < notes.count, notes[position].firstSequence < to {
      let note = notes[position]
      position += 1
      guard note.reports else { continue }
      for sequence in max(from, note.firstSequence)..<min(to, note.endSequence)
      where isAcknowledged(Int(sequence - boundaries.firstSequence)) {
        ids.append(note.id(of: sequence))
      }
    }
  }

  /// The first note that speaks of `sequence` or a later message.
  private func noteIndex(at sequence: UInt64) -> Int {
    var (low, high) = (0, notes.count)
    while low < high {
      let middle = (low + high) / 2
      if notes[middle].endSequence > sequence { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
