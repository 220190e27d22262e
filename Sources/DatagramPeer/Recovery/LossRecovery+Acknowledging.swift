import Primitives

extension LossRecovery {
  /// What one acknowledgement brings that was not known.
  private struct News {
    /// The largest number that was acknowledged before.
    var previousLargest: UInt64
    var bytes = 0
    var packets = 0
    /// The lowest number that was in flight.
    var lowest = UInt64.max
    var newestSentAt = Instant(nanoseconds: 0)
    /// Packets that were declared lost.
    var late = 0
    /// One above the largest acknowledgement of ours that the peer has.
    var heardBelow: UInt64 = 0
    /// The last part of a stream, which the next may continue; of length 0 where there is none.
    var run = SentChunk(stream: 0, start: 0, length: 0)

    init(previousLargest: UInt64) { self.previousLargest = previousLargest }
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
    var news = News(previousLargest: previousLargest ?? 0)
    news.heardBelow = witnesses.take(acknowledgement)
    for range in acknowledgement.ranges.reversed() {
      let lowest = max(range.lowerBound, sent.first)
      guard lowest <= range.upperBound, range.upperBound < sent.end else { continue }
      take(lowest...range.upperBound, at: now, news: &news, &outcome)
    }
    if news.run.length > 0 { RecoveryOutcome.add(news.run, to: &outcome.acknowledged) }
    largestAcknowledged = max(previousLargest ?? 0, acknowledgement.largest)
    if news.heardBelow > 0 {
      outcome.largestAcknowledgementHeard = max(
        outcome.largestAcknowledgementHeard ?? 0, news.heardBelow - 1)
    }
    if news.packets > 0 || news.late > 0 { probeCount = 0 }
    if news.packets > 0 {
      note(news, &outcome)
      if isMeasured {
        if firstSampleAt == nil { firstSampleAt = now }
        roundTrip.update(
          now - sent[acknowledgement.largest].sentAt, acknowledgementDelay: acknowledgement.delay)
      }
    }
    if news.packets > 0 || news.late > 0 || isNewest { detectLosses(at: now, outcome: &outcome) }
  }

  private mutating func note(_ news: News, _ outcome: inout RecoveryOutcome) {
    bytesInFlight -= news.bytes
    packetsInFlight -= news.packets
    outcome.acknowledgedBytes += news.bytes
    outcome.newestAcknowledgedSentAt = max(
      outcome.newestAcknowledgedSentAt ?? news.newestSentAt, news.newestSentAt)
    if news.lowest < news.previousLargest {
      thresholds.noteReordering(distance: news.previousLargest - news.lowest)
    }
  }

  /// Takes in a range of numbers that are remembered.
  private mutating func take(
    _ range: ClosedRange<UInt64>, at now: Instant, news: inout News,
    _ outcome: inout RecoveryOutcome
  ) {
    var start = range.lowerBound
    while start <= range.upperBound {
      var (bits, width) = sent.closeStep(from: start, through: range.upperBound)
      while bits != 0 {
        let number = start + UInt64(bits.trailingZeroBitCount)
        bits &= bits &- 1
        let record = sent[number]
        news.heardBelow = max(news.heardBelow, record.acknowledgedBelow)
        if record.state != .sent || record.isProbe {
          takeUnusual(number, record, at: now, news: &news, &outcome)
          guard record.state == .sent else { continue }
        }
        news.bytes += Int(record.size)
        news.packets += 1
        news.lowest = min(news.lowest, number)
        news.newestSentAt = record.sentAt
        if record.furtherCount == 0, news.run.extend(by: record.chunk) { continue }
        addChunks(of: record, run: &news.run, to: &outcome.acknowledged)
      }
      start += width
    }
  }

  private mutating func takeUnusual(
    _ number: UInt64, _ record: SentRecord, at now: Instant, news: inout News,
    _ outcome: inout RecoveryOutcome
  ) {
    if record.isProbe {
      outcome.probeAcknowledged = max(outcome.probeAcknowledged ?? 0, Int(record.size))
    }
    if record.state == .unasked { sent.setState(.sent, of: number) }
    guard record.state == .lost else { return }
    news.late += 1
    addChunks(of: record, run: &news.run, to: &outcome.acknowledged)
    takeLate(number, record, before: news.previousLargest, at: now, &outcome)
  }

  /// A packet that was declared lost has arrived.
  private mutating func takeLate(
    _ number: UInt64, _ record: SentRecord, before largest: UInt64, at now: Instant,
    _ outcome: inout RecoveryOutcome
  ) {
    sent.setState(.late, of: number)
    rememberedLosses -= 1
    silenceSince = nil
    if record.isProbe { return }
    spuriousLosses += 1
    if outcome.listsPackets { outcome.latePackets.append(number) }
    outcome.corrections.append(
      PacketFate(sentAt: record.sentAt, size: record.size, isLost: false))
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

  /// Adds what does not continue `run` to `list`, and lets it be the next one.
  func addChunks(of record: SentRecord, run: inout SentChunk, to list: inout [SentChunk]) {
    guard record.chunk.length > 0 else { return }
    add(record.chunk, run: &run, to: &list)
    for index in 0..<Int(record.furtherCount) {
      add(sent.furtherChunk(index, of: record), run: &run, to: &list)
    }
  }

  private func add(_ chunk: SentChunk, run: inout SentChunk, to list: inout [SentChunk]) {
    if run.extend(by: chunk) { return }
    if run.length > 0 { RecoveryOutcome.add(run, to: &list) }
    run = chunk
  }
}
