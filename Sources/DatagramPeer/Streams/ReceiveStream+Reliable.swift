import ChatTransport
import Primitives

/// `reliable`: a message is handed over as soon as it is whole.
///
/// A chunk starts at the start of a message or holds bytes of one message only. So the first byte
/// of any message comes in a chunk in which its start can be found, by walking over the messages
/// from the start of the chunk; it is then pending until it is whole.
extension ReceiveStream {
  /// Takes a chunk that starts with a message's length; `peer` is `nil` where nothing may be handed
  /// over now.
  mutating func takeStart(
    _ bytes: Span<UInt8>, at offset: UInt64, deliverFrom peer: PeerID?, into inbox: inout EventBatch
  ) -> Taken {
    var taken = Taken()
    let all = offset..<(offset + UInt64(bytes.count))
    // Where all is new, as nearly always, it need not be asked of each message.
    let isAllNew = offset >= contiguous && received.firstGap(in: all) == all
    var (runStart, place, count) = (0, 0, 0)
    var openEnd: Int?
    while let end = bytes.messageEnd(from: place) {
      guard end <= bytes.count else {
        openEnd = end
        break
      }
      if isAllNew || !holds((offset + UInt64(place))..<(offset + UInt64(end))) {
        count += 1
      } else {
        taken += takeWhole(
          bytes.extracting(runStart..<place), count: count, at: offset + UInt64(runStart),
          deliverFrom: peer, into: &inbox)
        (runStart, count) = (end, 0)
      }
      place = end
    }
    taken += takeWhole(
      bytes.extracting(runStart..<place), count: count, at: offset + UInt64(runStart),
      deliverFrom: peer, into: &inbox)
    guard place < bytes.count else { return taken }
    taken += takeBeginning(
      bytes.extracting(place..<bytes.count), at: offset + UInt64(place),
      end: openEnd.map { offset + UInt64($0) }, deliverFrom: peer, into: &inbox)
    return taken
  }

  /// Takes `count` whole messages that were not handed over.
  private mutating func takeWhole(
    _ bytes: Span<UInt8>, count: Int, at start: UInt64, deliverFrom peer: PeerID?,
    into inbox: inout EventBatch
  ) -> Taken {
    guard count > 0 else { return Taken() }
    guard start >= next else { return .malformed }
    let range = start..<(start + UInt64(bytes.count))
    defer { note(range) }
    guard let peer else {
      ring.write(bytes, at: start)
      pending.insertWhole(range)
      return Taken()
    }
    let isClean = pending.isEmpty || pending.cut(range)
    inbox.append(
      run: bytes, count: count, peer: peer, channel: channel, delivery: .reliable,
      firstSequence: nil)
    return Taken(delivered: count, isMalformed: !isClean)
  }

  /// Takes the beginning of a message, whose end is known where its length is all here.
  private mutating func takeBeginning(
    _ bytes: Span<UInt8>, at start: UInt64, end: UInt64?, deliverFrom peer: PeerID?,
    into inbox: inout EventBatch
  ) -> Taken {
    let range = start..<(start + UInt64(bytes.count))
    if isTooLarge(end, from: start) { return .malformed }
    // A message that is here with all of these bytes and all others is known already.
    guard !holds(start..<(end ?? range.upperBound)) else { return Taken() }
    guard start >= next else { return .malformed }
    ring.write(bytes, at: start)
    note(range)
    return settle(pending.insertOpen(start: start, end: end), deliverFrom: peer, into: &inbox)
  }

  /// Takes a chunk that holds bytes of one message, but not its first.
  mutating func takeRest(
    _ bytes: Span<UInt8>, at offset: UInt64, deliverFrom peer: PeerID?, into inbox: inout EventBatch
  ) -> Taken {
    let from = max(offset, contiguous)
    ring.write(bytes.extracting(Int(from - offset)..<bytes.count), at: from)
    note(from..<(offset + UInt64(bytes.count)))
    guard let index = pending.index(atOrBefore: offset) else { return Taken() }
    return settle(index, deliverFrom: peer, into: &inbox)
  }

  /// Looks whether the pending message at `index` has become whole, and hands it over if so.
  private mutating func settle(
    _ index: Int, deliverFrom peer: PeerID?, into inbox: inout EventBatch
  ) -> Taken {
    let entry = pending.entries[index]
    guard !entry.isWhole else { return Taken() }
    let start = entry.start
    // A length has at most eight bytes; further than that it need not be known what is here.
    let limit =
      start < contiguous
      ? contiguous : received.firstGap(in: start..<(start + 8))?.lowerBound ?? start + 8
    guard let (length, width) = ring.variableLength(at: start, below: limit) else {
      return Taken()
    }
    guard length <= Self.maximumMessageSize else { return .malformed }
    let range = start..<(start + UInt64(width) + length)
    pending.setEnd(range.upperBound, at: index)
    guard holds(range) else { return Taken() }
    guard let peer else {
      pending.setWhole(at: index)
      return Taken()
    }
    guard ringHolds(range) else { return .malformed }
    inbox.append(
      run: range, of: ring, count: 1, peer: peer, channel: channel, delivery: .reliable,
      firstSequence: nil)
    pending.remove(at: index)
    return Taken(delivered: 1)
  }

  /// Hands over what became whole while nothing could be, and tells of what was given up.
  mutating func deliverReliable(peer: PeerID, into inbox: inout EventBatch) -> Taken {
    var taken = Taken()
    for entry in pending.entries where entry.isWhole {
      let range = entry.start..<(entry.end ?? entry.start)
      guard ringHolds(range) else { return .malformed }
      let walk = MessageWalk(over: ring, in: range)
      guard UInt64(walk.end) == range.upperBound - range.lowerBound else { return .malformed }
      inbox.append(
        run: range, of: ring, count: walk.count, peer: peer, channel: channel,
        delivery: .reliable, firstSequence: nil)
      taken.delivered += walk.count
    }
    pending.removeWhole()
    for skip in skips.all { tell(skip, peer: peer, into: &inbox) }
    skips.removeAll()
    moveOn()
    return taken
  }

  /// Everything up to the first message that is not handed over is done with.
  mutating func moveOn() {
    next = min(
      contiguous, pending.first?.start ?? contiguous,
      skips.first?.range.lowerBound ?? contiguous)
    forgetDelivered()
    noteOpenMessage()
  }
}

extension ReceiveStream.Taken {
  static func += (left: inout Self, right: Self) {
    left.isNew = left.isNew || right.isNew
    left.delivered += right.delivered
    left.isMalformed = left.isMalformed || right.isMalformed
  }
}
