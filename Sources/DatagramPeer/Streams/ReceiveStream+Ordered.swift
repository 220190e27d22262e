import ChatTransport
import Primitives

/// `ordered`: everything waits in the ring until it is its turn.
extension ReceiveStream {
  mutating func takeOrdered(_ bytes: Span<UInt8>, at offset: UInt64) {
    let from = max(offset, contiguous)
    ring.write(bytes.extracting(Int(from - offset)..<bytes.count), at: from)
    note(from..<(offset + UInt64(bytes.count)))
  }

  /// After something has come in: hands over what can be, or nothing where `peer` is `nil`.
  mutating func goOn(deliverFrom peer: PeerID?, into inbox: inout EventBatch) -> Taken {
    var taken = Taken()
    if let peer { taken = deliverOrdered(peer: peer, into: &inbox) }
    noteOpenMessage()
    if isTooLarge(openEnd, from: next) { taken.isMalformed = true }
    return taken
  }

  /// Hands over every message that is whole and whose turn it is, and tells of those that were
  /// given up in between.
  private mutating func deliverOrdered(peer: PeerID, into inbox: inout EventBatch) -> Taken {
    var taken = Taken()
    while true {
      let stop = min(contiguous, skips.first?.range.lowerBound ?? contiguous)
      if next < stop {
        guard ringHolds(next..<stop) else { return .malformed }
        let walk = MessageWalk(over: ring, in: next..<stop)
        let end = next + UInt64(walk.end)
        inbox.append(
          run: next..<end, of: ring, count: walk.count, peer: peer, channel: channel,
          delivery: .ordered, firstSequence: nextSequence)
        nextSequence += UInt64(walk.count)
        taken.delivered += walk.count
        next = end
      }
      guard let skip = skips.first, skip.range.lowerBound <= contiguous else { break }
      // What was given up are whole messages: the one before ends where they start.
      guard skip.range.lowerBound == next, skip.missing.lowerBound == nextSequence else {
        taken.isMalformed = true
        break
      }
      tell(skips.removeFirst(), peer: peer, into: &inbox)
      next = skip.range.upperBound
      nextSequence = skip.missing.upperBound
    }
    forgetDelivered()
    return taken
  }

  func tell(_ skip: ReceivedSkip, peer: PeerID, into inbox: inout EventBatch) {
    inbox.append(
      .gap(Gap(peer: peer, channel: channel, delivery: delivery, missing: skip.missing)))
  }

  /// Looks up where the message at `next` ends, where that is known and it is not whole.
  mutating func noteOpenMessage() {
    openEnd = nil
    guard isOrdered else {
      if let first = pending.first, first.start == next, !first.isWhole { openEnd = first.end }
      return
    }
    let stop = min(contiguous, skips.first?.range.lowerBound ?? contiguous)
    guard next < stop, let (length, width) = ring.variableLength(at: next, below: stop) else {
      return
    }
    let end = next + UInt64(width) + length
    if end > contiguous { openEnd = end }
  }

  /// Lets go of what was handed over. A ring that one large message made larger than the window
  /// needs does not stay so: it is exchanged when no more than a quarter of it is used.
  mutating func forgetDelivered() {
    ring.dropFirst(to: next)
    if ring.capacity > 2 * window.size { shrinkRing() }
  }

  /// Gives back the memory of the ring where no more than a quarter of it is used.
  mutating func shrinkRing() {
    guard ring.count <= ring.capacity / 4 else { return }
    guard !ring.isEmpty else {
      ring.releaseStorage()
      return
    }
    var rest: [UInt8] = []
    ring.copy(ring.start..<ring.end, appendingTo: &rest)
    ring = ByteRing(start: ring.start)
    ring.append(rest.span)
  }
}
