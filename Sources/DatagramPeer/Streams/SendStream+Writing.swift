import ChatTransport
import Primitives

/// How `write` is used: `beginPacket` for each packet, where anything is to ride; then any parts,
/// of which `.lost` and `.fresh` are written again and again until there is `nil`, while `.oldest`
/// and `.copy` would begin anew; then `beginRides` and, until there is `nil`, `.ride`.
extension SendStream {
  /// With fewer bytes than this of a message a chunk is not worth its header.
  static let leastChunk = 16
  /// A message is not begun at the end of a packet in fewer bytes than this: packets of small
  /// messages then hold whole ones only, which costs both sides less than what stays empty, and a
  /// lost packet holds up no message of another.
  static let leastBeginning = 96
  /// A given-up message that is larger may be beyond any window that its receiver would offer
  /// without having seen the start of it: half the window that a stream starts with.
  static let largestAlwaysSkipped: UInt64 = 128 << 10

  /// Whether `write(.fresh(credit:))` would write something, given enough room.
  func hasFresh(credit: UInt64) -> Bool {
    let allowed = freshEnd(credit: credit)
    guard sentEnd < allowed else { return false }
    guard boundaries.givenUpCount > 0 else { return true }
    let index = freshIndex
    guard boundaries.isGivenUp(index), boundaries.end(index) > allowed else { return true }
    return mustSendBytes(index)
  }

  /// A new packet begins: nothing has been written to it.
  mutating func beginPacket() {
    rides.beginPacket()
  }

  /// All other parts are in the packet now: next come the rides.
  mutating func beginRides() {
    rides.begin(sentEnd: sentEnd)
  }

  /// Writes at most one frame, a chunk or a skip, of `part` into `output`, within `room` bytes of
  /// it, and returns which bytes of the stream it stands for: that range will be acknowledged or
  /// lost. `nil` where there is nothing, or no room for a chunk that is worth it.
  ///
  /// A chunk that fills all of `room` leaves its length away, so the packet has to end there.
  mutating func write(
    _ part: Part, room: Int, into output: inout OutputSpan<UInt8>
  ) -> Range<UInt64>? {
    switch part {
    case .fresh(let credit):
      return writeFresh(credit: credit, room: room, into: &output)
    case .lost:
      guard let range = lost.first,
        let written = writeOld(range, room: room, into: &output)
      else { return nil }
      lost.remove(written)
      rides.didWriteOld(written)
      return written
    case .oldest:
      guard let written = writeOld(unacknowledged..<sentEnd, room: room, into: &output)
      else { return nil }
      lost.remove(written)
      rides.didWriteOld(written)
      return written
    case .copy(let range):
      guard let written = writeOld(range, room: room, into: &output) else { return nil }
      rides.didWriteOld(written)
      return written
    case .ride(let sends, let budget):
      guard budget > 0 else { return nil }
      while let range = rides.candidate(sends: sends, above: unacknowledged) {
        if acknowledged.firstGap(in: range) == nil {
          rides.didRide(range)
          continue
        }
        let written = writeOld(
          range, room: room, budget: budget, skipsAhead: false, into: &output)
        if let written { rides.didRide(written) }
        return written
      }
      return nil
    }
  }

  /// The message that has the byte at `sentEnd`.
  private var freshIndex: Int { Int(freshSequence - boundaries.firstSequence) }

  /// Below this new bytes may be sent.
  private func freshEnd(credit: UInt64) -> UInt64 {
    min(end, limit, sentEnd + min(credit, variableLengthMaximum))
  }

  private func mustSendBytes(_ index: Int) -> Bool {
    boundaries.end(index) - boundaries.start(index) > Self.largestAlwaysSkipped
  }

  private mutating func writeFresh(
    credit: UInt64, room: Int, into output: inout OutputSpan<UInt8>
  ) -> Range<UInt64>? {
    var upper = freshEnd(credit: credit)
    guard sentEnd < upper else { return nil }
    let index = freshIndex
    let written: Range<UInt64>
    if boundaries.givenUpCount > 0, boundaries.isGivenUp(index),
      boundaries.end(index) <= upper || !mustSendBytes(index)
    {
      guard let skipped = writeSkip(from: index, below: upper, room: room, into: &output)
      else { return nil }
      lost.remove(skipped)
      written = skipped
    } else {
      let startsMessage = boundaries.start(index) == sentEnd
      upper = chunkEnd(index, startsMessage: startsMessage, upper: upper)
      if startsMessage { upper = wholeEnd(from: index, upper: upper, room: room) }
      guard
        let chunk = writeChunk(
          sentEnd..<upper, startsMessage: startsMessage, room: room, into: &output)
      else { return nil }
      written = chunk
    }
    rides.didWriteFresh(sentEnd..<written.upperBound)
    if written.lowerBound < sentEnd { rides.didWriteOld(written.lowerBound..<sentEnd) }
    sentEnd = written.upperBound
    let next = boundaries.index(containing: sentEnd, from: index)
    freshSequence = boundaries.firstSequence + UInt64(next)
    return written
  }

  /// Writes again the first bytes of `range` that were sent and are not acknowledged. A skip may go
  /// on beyond `range` where it `skipsAhead`.
  private func writeOld(
    _ range: Range<UInt64>, room: Int, budget: Int = .max, skipsAhead: Bool = true,
    into output: inout OutputSpan<UInt8>
  ) -> Range<UInt64>? {
    let sent = range.clamped(to: unacknowledged..<sentEnd)
    guard let gap = acknowledged.firstGap(in: sent) else { return nil }
    let index = boundaries.index(containing: gap.lowerBound)
    // The end of a message that is not all sent yet needs credit: its skip comes as a new one.
    if boundaries.givenUpCount > 0, boundaries.isGivenUp(index), boundaries.end(index) <= sentEnd {
      let limit = skipsAhead ? sentEnd : max(gap.upperBound, boundaries.end(index))
      return writeSkip(from: index, below: limit, room: room, into: &output)
    }
    let startsMessage = boundaries.start(index) == gap.lowerBound
    var upper = chunkEnd(index, startsMessage: startsMessage, upper: gap.upperBound)
    if upper - gap.lowerBound > UInt64(budget) { upper = gap.lowerBound + UInt64(budget) }
    return writeChunk(
      gap.lowerBound..<upper, startsMessage: startsMessage, room: room, into: &output)
  }

  /// How far a chunk may go that begins in message `index`, at most to `upper`: inside a message
  /// only to its end, and never into one that was given up.
  private func chunkEnd(_ index: Int, startsMessage: Bool, upper: UInt64) -> UInt64 {
    if !startsMessage || boundaries.isGivenUp(index) { return min(upper, boundaries.end(index)) }
    guard boundaries.givenUpCount > 0 else { return upper }
    var index = index
    while boundaries.end(index) < upper {
      index += 1
      if boundaries.isGivenUp(index) { return boundaries.start(index) }
    }
    return upper
  }

  /// How far a chunk goes that starts with message `index` and has no room for all up to `upper`:
  /// to the end of a message where only a few bytes of the next one would have room.
  private func wholeEnd(from index: Int, upper: UInt64, room: Int) -> UInt64 {
    let room = room - StreamChunkFrame.headerSize(offset: sentEnd, length: nil)
    guard room > 0, upper - sentEnd > UInt64(room) else { return upper }
    let full = sentEnd + UInt64(room)
    let whole = boundaries.start(boundaries.index(containing: full, from: index))
    let rest = Int(full - min(full, whole))
    guard whole > sentEnd, rest < Self.leastBeginning, rest * 12 < room else { return upper }
    return whole
  }

  /// Writes as much of `range`, which is not empty, as there is room for.
  private func writeChunk(
    _ range: Range<UInt64>, startsMessage: Bool, room: Int, into output: inout OutputSpan<UInt8>
  ) -> Range<UInt64>? {
    let room = min(room, output.freeCapacity)
    let available = Int(range.upperBound - range.lowerBound)
    let largest = room - StreamChunkFrame.headerSize(offset: range.lowerBound, length: nil)
    let count = min(available, largest)
    guard count >= min(available, Self.leastChunk) else { return nil }
    var length: Int?
    let missing = largest - count
    if missing > 0 {
      let width = variableLengthWidth(UInt64(count))
      if width <= missing {
        length = count
      } else {
        // The length has no room, and without it the chunk must end with the room.
        output.append(repeating: Frame.Kind.padding, count: missing)
      }
    }
    StreamChunkFrame.emitHeader(
      isOrdered: isOrdered, startsMessage: startsMessage, channel: channel,
      offset: range.lowerBound, length: length, into: &output)
    let written = range.lowerBound..<(range.lowerBound + UInt64(count))
    ring.copy(written, into: &output)
    return written
  }

  /// Writes that message `index`, which was given up, and those behind it that were too, as far as
  /// they end at `limit` or below, will not be sent.
  private func writeSkip(
    from index: Int, below limit: UInt64, room: Int, into output: inout OutputSpan<UInt8>
  ) -> Range<UInt64>? {
    var next = index
    while next < boundaries.count, boundaries.isGivenUp(next), boundaries.end(next) <= limit,
      !isAcknowledged(next)
    {
      next += 1
    }
    guard next > index else { return nil }
    let frame = SkipFrame(
      isOrdered: isOrdered, channel: channel,
      range: boundaries.start(index)..<boundaries.end(next - 1),
      firstSequence: boundaries.firstSequence + UInt64(index), count: UInt64(next - index))
    guard frame.size <= min(room, output.freeCapacity) else { return nil }
    frame.emit(into: &output)
    return frame.range
  }
}
