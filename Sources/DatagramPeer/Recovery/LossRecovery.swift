import Primitives

/// Loss detection and probe timeouts (RFC 9002, section 6) for one connection.
///
/// The owner takes a packet number, builds the packet, and tells by `didSend` what is in it: also
/// for packets that ask for no acknowledgement, since they have numbers as well. Acknowledgements
/// that are plausible go to `acknowledge`. After each call it asks for the `deadline`, and calls
/// `advance` when that has come. What is found out is added to an outcome of the owner's.
struct LossRecovery {
  private let handling = HandledByAddress()
  var roundTrip: RoundTripEstimator
  var thresholds = LossThresholds()
  var numbers: PacketNumbers
  var sent = SentPackets()
  /// All below is acknowledged, lost, or was never in flight.
  var frontier: UInt64 = 0
  var largestAcknowledged: UInt64?
  /// Bytes of packets that asked for an acknowledgement and have no fate yet.
  var bytesInFlight = 0
  var packetsInFlight = 0
  /// Packets declared lost, with those that proved not to be; without probes of the path's size.
  var packetsLost: UInt64 = 0
  /// Packets that were declared lost and acknowledged after that.
  var spuriousLosses: UInt64 = 0
  /// Probe timeouts since the peer last acknowledged something.
  var probeCount = 0
  var lossDeadline: Instant?
  var probeBase: Instant?
  /// How much longer than at once the peer may take to acknowledge the last packet.
  var probeAllowance = Interval(nanoseconds: 0)
  var lastAskedAt: Instant?
  var episode: LossEpisode?
  /// What became of acknowledgements that went by themselves.
  var witnesses = AcknowledgementWitnesses()
  /// Records of lost packets that are still open.
  var rememberedLosses = 0
  /// When the round trip was first measured; losses before that are no sign of congestion.
  var firstSampleAt: Instant?
  /// When the oldest packet was sent of the newest ones that are lost without an exception.
  var silenceSince: Instant?
  let maximumProbeInterval: Interval

  /// This many probes come at an even pace before the intervals double. RFC 9002 doubles at once;
  /// Docs/Decisions.md says why not here.
  private static let evenProbes = 2
  /// So many numbers are remembered from the oldest packet in flight on, or four times as many as
  /// are in flight. Only a peer that acknowledges nothing and asks for acknowledgements itself gets
  /// there.
  private static let longestSpan: UInt64 = 32_768

  /// - Parameters:
  ///   - assumedRoundTrip: taken for the round trip until there is a measurement.
  ///   - maximumProbeInterval: bound for the intervals between probes as they double; a probe
  ///     timeout that is longer holds all the same.
  ///   - seed: decides which packet numbers are skipped.
  init(assumedRoundTrip: Interval, maximumProbeInterval: Interval, seed: UInt64) {
    roundTrip = RoundTripEstimator(assumed: assumedRoundTrip)
    numbers = PacketNumbers(seed: seed)
    self.maximumProbeInterval = maximumProbeInterval
  }

  /// The number that `takePacketNumber` gives next, if it does not skip it.
  var nextPacketNumber: UInt64 { numbers.next }

  /// Takes in the duration of the handshake as a first measurement.
  mutating func measureHandshake(_ sample: Interval) {
    roundTrip.update(sample, acknowledgementDelay: .zero)
    firstSampleAt = Instant(nanoseconds: .min)
  }

  /// Takes the next packet number, for a packet that is being built. Now and then one is skipped:
  /// who acknowledges it has not waited for what it acknowledges (RFC 9000, section 21.4).
  mutating func takePacketNumber() -> UInt64 { numbers.take() }

  /// Notes a packet that was sent. Numbers ascend; those between count as skipped.
  ///
  /// - Parameters:
  ///   - size: bytes of the whole packet, below 65,536.
  ///   - chunks: the parts of streams in it, in their order.
  ///   - largestAcknowledgementWritten: the largest number in the acknowledgement that it carries.
  mutating func didSend(
    number: UInt64, at now: Instant, size: Int, contents: PacketContents, chunks: [SentChunk],
    largestAcknowledgementWritten: UInt64?
  ) {
    let isAckEliciting = contents.contains(.ackEliciting)
    precondition(isAckEliciting || chunks.isEmpty, "chunks ask for an acknowledgement")
    if !isAckEliciting, packetsInFlight == 0 {
      // Nobody will acknowledge it for itself, and nothing before it waits.
      if let largestAcknowledgementWritten {
        witnesses.note(number, acknowledging: largestAcknowledgementWritten)
      }
      return noteUnasked(number, at: now)
    }
    var record = SentRecord()
    record.sentAt = now
    record.size = UInt16(size)
    record.state = isAckEliciting ? .sent : .unasked
    record.contents = contents
    if let largestAcknowledgementWritten {
      record.acknowledgedBelow = largestAcknowledgementWritten + 1
    }
    if packetsInFlight == 0 { frontier = number }
    sent.append(record, number: number, isOpen: true, chunks: chunks)
    guard isAckEliciting else { return }
    bytesInFlight += size
    packetsInFlight += 1
    probeBase = now
    // A peer answers at once what comes alone and is new; only else it may wait.
    let delay = roundTrip.acknowledgementDelay
    let isAlone = lastAskedAt.map { now - $0 > delay } ?? true
    if contents.contains(.copies) {
      probeAllowance = RoundTripEstimator.acknowledgementDelayLimit
    } else {
      probeAllowance = isAlone ? Interval(nanoseconds: 0) : delay
    }
    lastAskedAt = now
  }

  private mutating func noteUnasked(_ number: UInt64, at now: Instant) {
    if rememberedLosses > 0 {
      sent.append(SentRecord(), number: number, isOpen: false, chunks: [])
      frontier = sent.end
      forget(at: now)
    }
    if rememberedLosses == 0 {
      if !sent.isEmpty { sent.dropFirst(to: sent.end) }
      sent.skip(to: number + 1)
      frontier = number + 1
    }
  }

  /// Whether a peer that is honest could have sent this: it names no number that was not sent.
  func isPlausible(_ acknowledgement: Acknowledgement) -> Bool {
    acknowledgement.largest < sent.end
      && !numbers.wereSkipped(in: acknowledgement.ranges)
  }

  // MARK: Time

  /// When `advance` has to be called next; `nil` where nothing is in flight.
  var deadline: Instant? {
    if isOverlong { return sent[frontier].sentAt }
    return lossDeadline ?? probeDeadline
  }

  /// Acts on the timer that is due. Returns how many probes are to be sent: packets that ask for an
  /// acknowledgement, whatever limits there are.
  mutating func advance(to now: Instant, outcome: inout RecoveryOutcome) -> Int {
    if isOverlong {
      shorten(at: now, outcome: &outcome)
    } else if let lossDeadline, lossDeadline <= now {
      detectLosses(at: now, outcome: &outcome)
    } else if let probeDeadline, probeDeadline <= now {
      probeCount += 1
      probeBase = now
      // The longer the intervals, the more should come of each.
      return probeCount > Self.evenProbes ? 2 : 1
    }
    return 0
  }

  private var probeDeadline: Instant? {
    guard packetsInFlight > 0, let probeBase else { return nil }
    return probeBase + probeInterval
  }

  private var probeInterval: Interval {
    let timeout = roundTrip.probeTimeout + probeAllowance
    let doublings = min(max(0, probeCount - Self.evenProbes + 1), 10)
    return min(timeout * Int64(1 << doublings), max(maximumProbeInterval, timeout))
  }

  /// Whether more numbers are remembered than packets in flight explain.
  var isOverlong: Bool {
    let span = sent.end - frontier
    return span > Self.longestSpan && span > UInt64(packetsInFlight) * 4
  }

  // MARK: Memory

  /// Records and chunks for which there is memory.
  var capacity: (records: Int, chunks: Int) { sent.capacity }

  /// Gives memory back where nothing is in flight. Losses that are still remembered are forgotten.
  mutating func releaseStorage() {
    guard packetsInFlight == 0 else { return }
    rememberedLosses = 0
    sent.dropFirst(to: sent.end)
    frontier = sent.end
    sent.releaseStorage()
  }
}
