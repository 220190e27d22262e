import ChatTransport
import Primitives

/// A packet that asked for an acknowledgement and has none yet.
struct SentPacket {
  var number: UInt64
  var sentAt: Instant
  var size: Int
  /// The reliable messages in it, by their keys in `OutgoingMessages`.
  var messages: [UInt64]
}

/// Loss detection and probe timeouts (RFC 9002, section 6) for one connection.
///
/// Congestion control and pacing have their place between this and the sending of new messages:
/// they will be asked before a packet is built, and told here of sent, acknowledged and lost bytes.
struct Recovery {
  private(set) var roundTrip: RoundTripEstimator
  private(set) var nextPacketNumber: UInt64 = 0
  private(set) var largestAcknowledged: UInt64?
  private(set) var bytesInFlight = 0
  private(set) var packetsLost: UInt64 = 0
  /// Probe timeouts since the peer last acknowledged something.
  private(set) var probeCount = 0
  /// In ascending order of their numbers.
  private var inFlight = Queue<SentPacket>()
  private var lossDeadline: Instant?
  private var probeBase: Instant?
  private let maximumProbeInterval: Interval

  /// A packet is lost when one sent this many later has been acknowledged (RFC 9002, section
  /// 6.1.1, kPacketThreshold).
  private static let packetThreshold: UInt64 = 3
  /// This many probes come at an even pace before the intervals double. RFC 9002 doubles at once;
  /// Docs/Decisions.md says why not here.
  private static let evenProbes = 2

  init(assumedRoundTrip: Interval, maximumProbeInterval: Interval) {
    roundTrip = RoundTripEstimator(assumed: assumedRoundTrip)
    self.maximumProbeInterval = maximumProbeInterval
  }

  var packetsInFlight: Int { inFlight.count }

  mutating func measureHandshake(_ sample: Interval) {
    roundTrip.update(sample, acknowledgementDelay: .zero)
  }

  /// Takes the next packet number for a packet that is being built.
  mutating func takePacketNumber() -> UInt64 {
    defer { nextPacketNumber += 1 }
    return nextPacketNumber
  }

  /// Notes a packet that asks for an acknowledgement.
  mutating func didSend(_ packet: SentPacket) {
    inFlight.append(packet)
    bytesInFlight += packet.size
    probeBase = packet.sentAt
  }

  /// What an acknowledgement, or the passing of time, says about messages.
  struct Outcome {
    var acknowledged: [UInt64] = []
    /// With the number of the lost packet each was in.
    var lost: [(message: UInt64, packet: UInt64)] = []
  }

  /// Whether a peer that is honest could have sent this.
  func isPlausible(_ acknowledgement: Acknowledgement) -> Bool {
    acknowledgement.largest < nextPacketNumber
  }

  /// Takes in an acknowledgement that is plausible.
  mutating func acknowledge(_ acknowledgement: Acknowledgement, at now: Instant) -> Outcome {
    var outcome = Outcome()
    var remaining = Queue<SentPacket>()
    var newlyAcknowledged: SentPacket?
    // Both run downwards in the frame and upwards here, so one walk over each suffices.
    var rangeIndex = acknowledgement.ranges.count - 1
    while let packet = inFlight.popFirst() {
      while rangeIndex >= 0, acknowledgement.ranges[rangeIndex].upperBound < packet.number {
        rangeIndex -= 1
      }
      if rangeIndex >= 0, acknowledgement.ranges[rangeIndex].contains(packet.number) {
        outcome.acknowledged += packet.messages
        bytesInFlight -= packet.size
        newlyAcknowledged = packet
      } else {
        remaining.append(packet)
      }
    }
    inFlight = remaining
    largestAcknowledged = max(largestAcknowledged ?? 0, acknowledgement.largest)
    guard let newest = newlyAcknowledged else { return outcome }
    probeCount = 0
    if newest.number == acknowledgement.largest {
      roundTrip.update(now - newest.sentAt, acknowledgementDelay: acknowledgement.delay)
    }
    detectLosses(at: now, into: &outcome)
    return outcome
  }

  /// What the timer that was due says.
  enum TimerOutcome {
    case nothing
    case losses(Outcome)
    /// Send something that asks for an acknowledgement, whatever limits there are.
    case probe
  }

  mutating func advance(to now: Instant) -> TimerOutcome {
    if let lossDeadline, lossDeadline <= now {
      var outcome = Outcome()
      detectLosses(at: now, into: &outcome)
      return .losses(outcome)
    }
    if let probeDeadline, probeDeadline <= now {
      probeCount += 1
      probeBase = now
      return .probe
    }
    return .nothing
  }

  var deadline: Instant? { lossDeadline ?? probeDeadline }

  private var probeDeadline: Instant? {
    guard !inFlight.isEmpty, let probeBase else { return nil }
    return probeBase + probeInterval
  }

  private var probeInterval: Interval {
    let doublings = min(max(0, probeCount - Self.evenProbes + 1), 10)
    return min(roundTrip.probeTimeout * Int64(1 << doublings), maximumProbeInterval)
  }

  /// RFC 9002, section 6.1: lost is what was sent long enough, or enough packets, before the
  /// largest acknowledged one.
  private mutating func detectLosses(at now: Instant, into outcome: inout Outcome) {
    lossDeadline = nil
    guard let largestAcknowledged else { return }
    let lossDelay = roundTrip.lossDelay
    while let packet = inFlight.first, packet.number < largestAcknowledged {
      let isFarBehind = largestAcknowledged - packet.number >= Self.packetThreshold
      guard isFarBehind || packet.sentAt + lossDelay <= now else {
        lossDeadline = packet.sentAt + lossDelay
        return
      }
      inFlight.popFirst()
      bytesInFlight -= packet.size
      packetsLost += 1
      for message in packet.messages {
        outcome.lost.append((message: message, packet: packet.number))
      }
    }
  }
}
