import Primitives

extension LossRecovery {
  /// What one acknowledgement brings that was not known.
  private struct News {
    var bytes = 0
    var packets = 0
    /// The lowest number that was in flight.
    var lowest: UInt64?
    var newestSentAt = Instant.zero
    /// Packets that were declared lost.
    var late = 0
    /// One above the largest acknowledgement of ours that the peer has.
    var heardBelow: UInt64 = 0
  }

  /// Takes in an acknowledgement that is plausible.
  ///
  /// The round trip is measured by the largest number, if that is newly acknowledged together with,
  /// or as, a packet that asked for it (RFC 9002, section 5.1). The largest may itself have asked
  /// for nothing: what the peer says about its delay is meant for just that number.
  mutating func acknowledge(
    _ acknowledgement: Acknowledgement, at now: Instant, outcome: inout RecoveryOutcome
  ) {
    let previousLargest = largestAcknowledged
    let isNewest = previousLargest.map { acknowledgement.largest > $0 } ?? true
    let isMeasured =
      isNewest && acknowledgement.largest >= sent.first
      && acknowledgement.largest < sent.end && sent.isOpen(acknowledgement.largest)
    var news = News()
    for range in acknowledgement.ranges.reversed() {
      let lowest = max(range.lowerBound, sent.first)
      guard lowest <= range.upperBound, range.upperBound < sent.end else { continue }
      take(lowest...range.upperBound, before: previousLargest, at: now, news: &news, &outcome)
    }
    largestAcknowledged = max(previousLargest ?? 0, acknowledgement.largest)
    if news.heardBelow > 0 {
      outcome.largestAcknowledgementHeard = max(
        outcome.largestAcknowledgementHeard ?? 0, news.heardBelow - 1)
    }
    if news.packets > 0 || news.late > 0 { probeCount = 0 }
    if news.packets > 0 {
      note(news, before: previousLargest, &outcome)
      if isMeasured {
        if firstSampleAt == nil { firstSampleAt = now }
        roundTrip.update(
          now - sent[acknowledgement.largest].sentAt, acknowledgementDelay: acknowledgement.delay)
      }
    }
    if news.packets > 0 || news.late > 0 || isNewest { detectLosses(at: now, outcome: &outcome) }
  }

  private mutating func note(
    _ news: News, before previousLargest: UInt64?, _ outcome: inout RecoveryOutcome
  ) {
    bytesInFlight -= news.bytes
    packetsInFlight -= news.packets
    outcome.acknowledgedBytes += news.bytes
    outcome.newestAcknowledgedSentAt = max(
      outcome.newestAcknowledgedSentAt ?? news.newestSentAt, news.newestSentAt)
    if let lowest = news.lowest, let previousLargest, lowest < previousLargest {
      thresholds.noteReordering(distance: previousLargest - lowest)
    }
  }

  /// Takes in a range of numbers that are remembered.
  private mutating func take(
    _ range: ClosedRange<UInt64>, before previousLargest: UInt64?, at now: Instant,
    news: inout News, _ outcome: inout RecoveryOutcome
  ) {
    var number = range.lowerBound
    while number <= range.upperBound {
      var (bits, width) = sent.closeStep(from: number, through: range.upperBound)
      while bits != 0 {
        take(
          number + UInt64(bits.trailingZeroBitCount), before: previousLargest, at: now, news: &news,
          &outcome)
        bits &= bits &- 1
      }
      number += width
    }
  }

  @inline(__always)
  private mutating func take(
    _ number: UInt64, before previousLargest: UInt64?, at now: Instant, news: inout News,
    _ outcome: inout RecoveryOutcome
  ) {
    let record = sent[number]
    news.heardBelow = max(news.heardBelow, record.acknowledgedBelow)
    switch record.state {
    case .sent:
      news.bytes += Int(record.size)
      news.packets += 1
      if news.lowest == nil { news.lowest = number }
      news.newestSentAt = record.sentAt
      if record.isProbe {
        outcome.probeAcknowledged = max(outcome.probeAcknowledged ?? 0, Int(record.size))
      }
      addChunks(of: record, to: &outcome.acknowledged)
    case .unasked:
      sent.setState(.sent, of: number)
    case .lost:
      news.late += 1
      takeLate(number, record, before: previousLargest, at: now, &outcome)
    case .skipped, .late:
      break
    }
  }

  /// A packet that was declared lost has arrived.
  private mutating func takeLate(
    _ number: UInt64, _ record: SentRecord, before previousLargest: UInt64?, at now: Instant,
    _ outcome: inout RecoveryOutcome
  ) {
    sent.setState(.late, of: number)
    rememberedLosses -= 1
    silenceSince = nil
    addChunks(of: record, to: &outcome.acknowledged)
    if record.isProbe {
      outcome.probeAcknowledged = max(outcome.probeAcknowledged ?? 0, Int(record.size))
      return
    }
    spuriousLosses += 1
    outcome.corrections.append(
      PacketFate(sentAt: record.sentAt, size: record.size, isLost: false))
    let largest = previousLargest ?? 0
    thresholds.noteSpuriousLoss(
      distance: largest > number ? largest - number : 0, age: now - record.sentAt,
      roundTrip: roundTrip, packetsInFlight: packetsInFlight)
    guard let current = episode, number >= current.firstNumber else { return }
    episode?.losses -= 1
    if current.losses == 1 {
      outcome.spurious = true
      episode = nil
    }
  }

  @inline(__always)
  func addChunks(of record: SentRecord, to list: inout [SentChunk]) {
    guard record.chunk.length > 0 else { return }
    RecoveryOutcome.add(record.chunk, to: &list)
    for index in 0..<Int(record.furtherCount) {
      RecoveryOutcome.add(sent.furtherChunk(index, of: record), to: &list)
    }
  }
}
