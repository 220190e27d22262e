import Primitives

/// Which packet numbers have arrived: refuses what came before, and says what to acknowledge, and
/// when.
///
/// The owner takes in all datagrams that wait, and then asks once whether an acknowledgement is
/// due.
struct ReceivedPackets {
  /// Descending and not touching each other.
  private(set) var ranges: [ClosedRange<UInt64>] = []
  /// How long an acknowledgement may wait for company, see
  /// `RoundTripEstimator.acknowledgementDelay`. Zero asks for one at once, always.
  var acknowledgementDelay = Interval.zero
  /// Whether something arrived that has to be acknowledged, now or later.
  private(set) var owesAcknowledgement = false
  /// When the acknowledgement that is owed is due; `nil` where none is.
  private(set) var acknowledgementDeadline: Instant?
  /// Numbers below this are no longer told apart and count as seen.
  private var floor: UInt64 = 0
  private var largestArrivedAt = Instant.zero
  private var lastAskedAt: Instant?
  /// When an acknowledgement was written last.
  private var writtenAt: Instant?
  /// Whether a packet with news waits for its acknowledgement.
  private var hasNewsWaiting = false
  private var told = ToldNumbers()

  /// More ranges are not told, though twice as many are remembered: a sender that heard nothing of
  /// the lowest in so many steps has long given them up.
  private static let toldRanges = 32
  /// An acknowledgement of so many ranges asks for an answer, and so often it gets one at most.
  private static let longAcknowledgement = 3
  private static let answerInterval = Interval.milliseconds(25)

  var largest: UInt64? { ranges.first?.upperBound }

  func contains(_ number: UInt64) -> Bool {
    if number < floor { return true }
    for range in ranges {
      if number > range.upperBound { return false }
      if number >= range.lowerBound { return true }
    }
    return false
  }

  /// Notes a packet that was accepted and not seen before. Returns whether it came behind one with
  /// a larger number.
  ///
  /// - Parameter bringsNews: whether anything in it was not known; if not, its acknowledgement may
  ///   wait (RFC 9000, section 13.2.1, says how long others may).
  @discardableResult
  mutating func insert(
    _ number: UInt64, bringsNews: Bool = true, isAckEliciting: Bool, at now: Instant
  ) -> Bool {
    precondition(!contains(number), "a packet is noted once")
    guard let largest else {
      ranges.append(number...number)
      largestArrivedAt = now
      if isAckEliciting { owe(bringsNews: bringsNews, isUrgent: false, at: now) }
      return false
    }
    if number > largest {
      largestArrivedAt = now
      let isNext = number == largest + 1
      if isNext {
        ranges[0] = ranges[0].lowerBound...number
      } else {
        ranges.insert(number...number, at: 0)
        limitRanges()
      }
      if isAckEliciting { owe(bringsNews: bringsNews, isUrgent: !isNext, at: now) }
      return false
    }
    insertBehind(number)
    told.noteLate(number, largest: largest)
    if isAckEliciting { owe(bringsNews: bringsNews, isUrgent: true, at: now) }
    return true
  }

  private mutating func insertBehind(_ number: UInt64) {
    let index = ranges.firstIndex { $0.lowerBound < number } ?? ranges.count
    let touchesLower = index < ranges.count && ranges[index].upperBound + 1 == number
    let touchesUpper = index > 0 && ranges[index - 1].lowerBound == number + 1
    switch (touchesUpper, touchesLower) {
    case (true, true):
      ranges[index - 1] = ranges[index].lowerBound...ranges[index - 1].upperBound
      ranges.remove(at: index)
    case (true, false): ranges[index - 1] = number...ranges[index - 1].upperBound
    case (false, true): ranges[index] = ranges[index].lowerBound...number
    case (false, false):
      ranges.insert(number...number, at: index)
      limitRanges()
    }
  }

  private mutating func limitRanges() {
    guard ranges.count > Acknowledgement.maximumRangeCount, let lowest = ranges.popLast() else {
      return
    }
    // Forgetting is safe: a packet below is refused, and what it carried is sent again.
    floor = max(floor, lowest.upperBound + 1)
  }

  // MARK: Acknowledging

  /// At once for what is out of order, for the second packet that waits, and for one that comes
  /// alone; what follows closely may wait for the next, and what was known already for longer.
  private mutating func owe(bringsNews: Bool, isUrgent: Bool, at now: Instant) {
    owesAcknowledgement = true
    var due = now + acknowledgementDelay
    if !bringsNews, acknowledgementDelay > .zero {
      due = now + RoundTripEstimator.acknowledgementDelayLimit
    }
    if bringsNews {
      let isAlone = lastAskedAt.map { now - $0 > acknowledgementDelay } ?? true
      if isUrgent || hasNewsWaiting || isAlone { due = now }
      hasNewsWaiting = true
      lastAskedAt = now
    }
    acknowledgementDeadline = Instant.earlier(acknowledgementDeadline, due)
  }

  /// Whether an acknowledgement is due, so that a datagram should be sent for it alone.
  func owesAcknowledgement(at now: Instant) -> Bool {
    acknowledgementDeadline.map { $0 <= now } ?? false
  }

  /// Writes an acknowledgement of all that is worth telling, if one is owed and there is room up
  /// to `end` of `output`. Returns the largest number in it, for `LossRecovery.didSend`.
  @discardableResult
  mutating func writeAcknowledgement(
    upTo end: Int, into output: inout OutputSpan<UInt8>, at now: Instant
  ) -> UInt64? {
    guard owesAcknowledgement,
      Acknowledgement.emit(
        ranges: ranges, limit: toldCount, delay: now - largestArrivedAt, upTo: end,
        into: &output)
    else { return nil }
    owesAcknowledgement = false
    acknowledgementDeadline = nil
    hasNewsWaiting = false
    writtenAt = now
    return largest
  }

  /// The peer sent an acknowledgement with many ranges. It will repeat them until it hears that
  /// this one has arrived, which nobody would tell it where all its packets are acknowledgements.
  /// So one of ours goes along with the next packet; none is sent for it.
  mutating func noteAcknowledgement(_ heard: Acknowledgement, roundTrip: Interval, at now: Instant)
  {
    guard heard.ranges.count >= Self.longAcknowledgement else { return }
    let wait = max(Self.answerInterval, roundTrip)
    if writtenAt.map({ now - $0 >= wait }) ?? true { owesAcknowledgement = true }
  }

  /// How many ranges say something that the peer may not know.
  var toldCount: Int {
    let lowest = told.lowest
    var count = 1
    while count < min(ranges.count, Self.toldRanges), ranges[count].upperBound >= lowest {
      count += 1
    }
    return count
  }

  /// The peer has an acknowledgement of ours with `largest` as its largest number: what it said is
  /// not told again (RFC 9000, section 13.2.4). It is remembered all the same, so that duplicates
  /// are refused and latecomers are not.
  mutating func prune(through largest: UInt64) {
    guard largest <= self.largest ?? 0 else { return }
    told.noteHeard(largest)
  }
}
