import ChatTransport
import Primitives

/// Skips, what waited for the user, and how far the peer may send.
extension ReceiveStream {
  /// Says what may be done with a skip, changing nothing. It may reach beyond the window, because
  /// what is given up takes no room: so a message larger than the window can be given up.
  func verdict(onSkip range: Range<UInt64>, count: UInt64) -> Verdict {
    let size = range.upperBound - range.lowerBound
    let (most, overflows) = count.multipliedReportingOverflow(by: Self.maximumMessageSize + 8)
    guard count > 0, count <= size, overflows || size <= most,
      range.upperBound <= variableLengthMaximum
    else { return .malformed }
    if range.lowerBound <= next { return .accept }
    guard range.lowerBound <= window.limit, skips.count < Self.maximumPieces else {
      return .beyondWindow
    }
    return range.lowerBound <= contiguous || hasRoomForPieces ? .accept : .beyondWindow
  }

  /// Takes in that the sender gave up `count` whole messages, the first of them with the number
  /// `firstSequence`, which are or would have been in `range`; `verdict` has accepted it. The user
  /// is told with a gap: of `ordered` messages when it is their turn, of `reliable` ones at once.
  mutating func skip(
    _ range: Range<UInt64>, firstSequence: UInt64, count: UInt64, peer: PeerID, mayDeliver: Bool,
    into inbox: inout EventBatch
  ) -> Taken {
    guard !holds(range) else { return .duplicate }
    var skip = ReceivedSkip(range: range, missing: firstSequence..<(firstSequence &+ count))
    let mayDeliver = mayDeliver && !isPaused
    if skip.range.lowerBound < next {
      // Some of them arrived, and the sender could not know. By their numbers it is certain which.
      skip.range = next..<skip.range.upperBound
      if isOrdered {
        guard nextSequence >= firstSequence, nextSequence < skip.missing.upperBound else {
          return .malformed
        }
        skip.missing = nextSequence..<skip.missing.upperBound
      }
    }
    var taken = Taken()
    note(skip.range)
    if isOrdered {
      skips.insert(skip)
      taken = goOn(deliverFrom: mayDeliver ? peer : nil, into: &inbox)
    } else {
      taken.isMalformed = !pending.cut(skip.range)
      skips.insert(skip)
      if mayDeliver { taken += deliverReliable(peer: peer, into: &inbox) }
      moveOn()
    }
    taken.isNew = true
    return taken
  }

  /// Hands over all that became whole while the stream was paused or the inbox had no room.
  mutating func deliver(peer: PeerID, into inbox: inout EventBatch) -> Taken {
    guard !isPaused, hasUndelivered else { return Taken() }
    return isOrdered
      ? goOn(deliverFrom: peer, into: &inbox) : deliverReliable(peer: peer, into: &inbox)
  }

  /// Whether something waits that `deliver` would hand over.
  var hasUndelivered: Bool {
    guard isOrdered else { return pending.wholeCount > 0 || !skips.isEmpty }
    if let skip = skips.first, skip.range.lowerBound == next { return true }
    guard next < contiguous, openEnd == nil else { return false }
    return MessageWalk.hasWhole(in: ring, next..<contiguous)
  }

  /// Whether bytes are kept that cannot be handed over because others are missing.
  var isIncomplete: Bool {
    guard highest > next else { return false }
    return !received.isEmpty || !hasUndelivered
  }

  /// Offsets below this may be sent, as the peer was told.
  var limit: UInt64 { window.limit }

  /// What there is to say about the window.
  enum WindowUpdate: Equatable {
    case none
    /// The peer has to be told that it may send up to here.
    case limit(UInt64)
    /// The next message needs `missing` bytes more than the window may have: unless more can be
    /// spared later, it can never arrive, and the connection has to end.
    case tooSmall(missing: Int)
  }

  /// Moves the window on where a good part of it was used. It grows up to `maximumWindow` bytes
  /// while the peer uses it up, and further, by at most `extra`, for one large message; the window
  /// is measured from `delivered`.
  mutating func windowUpdate(
    maximumWindow: Int, extra: Int, at now: Instant, roundTrip: Interval?
  ) -> WindowUpdate {
    var missing = 0
    var target: UInt64 = 0
    if let openEnd, openEnd > limit {
      let size = Int(openEnd - next)
      let room = window.makeRoom(for: size, maximum: maximumWindow)
      missing = size - room - max(extra, 0)
      if missing <= 0 { target = openEnd }
    }
    let moved = window.move(
      delivered: next, highest: highest, maximum: maximumWindow, at: now, roundTrip: roundTrip)
    if window.move(to: target) || moved != nil { return .limit(window.limit) }
    return missing > 0 ? .tooSmall(missing: missing) : .none
  }

  /// Gives memory back that is not used now. For a stream that has become idle, and for all of
  /// them where their `bufferedBytes` together are more than a peer may cost: it can leave many
  /// rings empty that it made large one after the other.
  mutating func releaseStorage() {
    shrinkRing()
    if received.isEmpty { received.removeAll() }
    if pending.isEmpty { pending.removeAll() }
    if skips.isEmpty { skips.removeAll() }
  }
}
