import Primitives

extension LossRecovery {
  /// So long a lost packet is remembered at least, in case that it was only late: what delays
  /// packets for longer than their round trip is often a radio, and has nothing to do with the
  /// round trip.
  private static let shortestMemory = Interval.milliseconds(250)
  /// So many numbers behind what is in flight are remembered, or as many as are in flight.
  private static let longestMemory: UInt64 = 256
  /// RFC 9002, section 7.6.1, kPersistentCongestionThreshold.
  private static let persistentTimeouts: Int64 = 3

  /// RFC 9002, section 6.1: lost is what was sent long enough, or enough packets, before the
  /// largest acknowledged one. What is sent later is not lost before: the walk ends at the first
  /// that is not.
  mutating func detectLosses(at now: Instant, outcome: inout RecoveryOutcome) {
    lossDeadline = nil
    if let largestAcknowledged {
      let delay = roundTrip.lossDelay(eighths: thresholds.eighths)
      var number = frontier
      while let candidate = sent.nextOpen(from: number, below: min(largestAcknowledged, sent.end)) {
        let record = sent[candidate]
        if record.state == .unasked {
          sent.close(candidate)
        } else if largestAcknowledged - candidate >= thresholds.packets {
          lose(candidate, record, .packetThreshold, at: now, &outcome)
        } else if record.sentAt + delay <= now {
          lose(candidate, record, .timeThreshold, at: now, &outcome)
        } else {
          lossDeadline = record.sentAt + delay
          break
        }
        number = candidate + 1
      }
    }
    settle(at: now, &outcome)
  }

  /// Declares the oldest packets lost until no more is remembered than has to be: behind them are
  /// packets that are not in flight, without number.
  mutating func shorten(at now: Instant, outcome: inout RecoveryOutcome) {
    while isOverlong {
      lose(frontier, sent[frontier], .memory, at: now, &outcome)
      settle(at: now, &outcome)
    }
  }

  private mutating func lose(
    _ number: UInt64, _ record: SentRecord, _ cause: TraceLossCause, at now: Instant,
    _ outcome: inout RecoveryOutcome
  ) {
    sent.setState(.lost, of: number)
    if outcome.listsPackets {
      outcome.lostPackets.append(
        LostPacket(number: number, size: Int(record.size), cause: cause))
    }
    rememberedLosses += 1
    bytesInFlight -= Int(record.size)
    packetsInFlight -= 1
    var run = SentChunk(stream: 0, start: 0, length: 0)
    addChunks(of: record, run: &run, to: &outcome.lost)
    if run.length > 0 { RecoveryOutcome.add(run, to: &outcome.lost) }
    if record.contents.contains(.windows) { outcome.lostWindows = true }
    if record.isProbe {
      outcome.probeLost = max(outcome.probeLost ?? 0, Int(record.size))
      return
    }
    packetsLost += 1
    outcome.lostBytes += Int(record.size)
    outcome.newestLostSentAt = max(outcome.newestLostSentAt ?? record.sentAt, record.sentAt)
    if episode.map({ record.sentAt > $0.start }) ?? true {
      episode = LossEpisode(start: now, firstNumber: number)
      thresholds.noteEpisode()
    }
    episode?.losses += 1
  }

  /// Moves the frontier, tells the fates of what it passes, and forgets what is not needed any
  /// more.
  private mutating func settle(at now: Instant, _ outcome: inout RecoveryOutcome) {
    let end = sent.end
    while frontier < end {
      let stop = sent.nextOpen(from: frontier, below: end) ?? end
      if frontier < stop { tellAcknowledged(frontier..<stop, &outcome) }
      frontier = stop
      guard stop < end else { break }
      let record = sent[stop]
      if record.state == .sent { break }
      if record.state == .unasked {
        sent.close(stop)
      } else if !record.isProbe {
        outcome.fates.append(PacketFate(sentAt: record.sentAt, size: record.size, isLost: true))
        noteSilence(until: record.sentAt, &outcome)
      }
      frontier = stop + 1
    }
    forget(at: now)
  }

  private mutating func tellAcknowledged(
    _ numbers: Range<UInt64>, _ outcome: inout RecoveryOutcome
  ) {
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      let record = sent[number]
      number += 1
      guard record.state == .sent else { continue }
      silenceSince = nil
      guard record.isAckEliciting, !record.isProbe else { continue }
      outcome.fates.append(PacketFate(sentAt: record.sentAt, size: record.size, isLost: false))
    }
  }

  /// RFC 9002, section 7.6: two lost packets, so long after another, and none between them arrived.
  private mutating func noteSilence(until sentAt: Instant, _ outcome: inout RecoveryOutcome) {
    guard let firstSampleAt, sentAt > firstSampleAt else { return }
    guard let since = silenceSince else {
      silenceSince = sentAt
      return
    }
    // Section 7.6.1 adds the peer's longest delay, whatever it is at present: a local network is
    // not congested because four milliseconds were bad.
    let timeout = roundTrip.probeTimeout + RoundTripEstimator.acknowledgementDelayLimit
    guard sentAt - since >= timeout * Self.persistentTimeouts else { return }
    outcome.isPersistentCongestion = true
    silenceSince = sentAt
  }

  /// Forgets losses that are too old, or too many numbers ago, to be seen as spurious, and all that
  /// is settled before the first one that is remembered.
  mutating func forget(at now: Instant) {
    var keep = frontier
    if rememberedLosses > 0 {
      let memory = max(
        Self.shortestMemory,
        roundTrip.probeTimeout * Self.persistentTimeouts + roundTrip.lossDelay(eighths: 16))
      let longest = max(Self.longestMemory, sent.end - frontier)
      var number = sent.first
      while let candidate = sent.nextOpen(from: number, below: frontier) {
        if frontier - candidate <= longest, sent[candidate].sentAt + memory > now {
          keep = candidate
          break
        }
        sent.close(candidate)
        rememberedLosses -= 1
        number = candidate + 1
      }
    }
    sent.dropFirst(to: keep)
  }
}
