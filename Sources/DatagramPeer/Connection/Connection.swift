import ChatTransport
import Primitives

/// One end of a connection between two incarnations: packets in and out, over one or several paths.
///
/// A machine of its own, driven by the endpoint that holds it: after `receive`, `advance` and
/// `send` it is asked for datagrams while `wantsToTransmit`, and for its `deadline`.
struct Connection {
  enum Phase: Equatable {
    /// We answered a call and have not yet seen that the caller heard it.
    case unconfirmed
    case established
    /// We said goodbye and wait for the other side to have heard it.
    case closing(Closing)
    /// The other side said goodbye; its repetitions are still answered.
    case draining
    /// Nothing is left to do but to be forgotten.
    case ended
  }

  struct Closing: Equatable {
    var code: Frame.CloseCode
    var nextTry: Instant
    var interval: Interval
  }

  struct Doubt {
    var since: Instant
    var reason: LeaveReason
  }

  /// What is fixed for the life of a connection.
  struct Identifiers {
    var peer: PeerID
    var remote: Incarnation
    var localID: ConnectionID
    var remoteID: ConnectionID
    var isDialler: Bool

    /// The call that opened the connection, where it was the other side's.
    var call: Call? { isDialler ? nil : Call(dialler: remote, source: remoteID) }

    /// Both identifiers, the dialler's first: known to the two ends and to nobody else who has not
    /// seen their datagrams.
    var pathKey: Secret {
      isDialler
        ? Secret(localID.rawValue, remoteID.rawValue)
        : Secret(remoteID.rawValue, localID.rawValue)
    }
  }

  let identifiers: Identifiers
  let configuration: DatagramConfiguration
  var phase: Phase
  /// When the phase ends by itself, for all phases but `established`.
  var phaseDeadline: Instant
  var paths: PathSet
  var recovery: Recovery
  var received = ReceivedPackets()
  var outgoing = OutgoingMessages()
  var incoming: IncomingMessages
  var lastHeard: Instant
  /// When the peer was last asked for a sign of life.
  var lastAsked: Instant
  /// Whether and why the peer was asked whether it lives.
  var doubt: Doubt?
  /// When such a claim may lead to the next question; `nil` where there was none yet.
  var nextDoubt: Instant?
  var probesOwed = 0
  var owesPing = false
  var owesClose = false
  var isUnderPressure = false
  var counters = TransportStatistics()
  var datagramsSent: UInt64 = 0
  var datagramsReceived: UInt64 = 0
  var duplicates: UInt64 = 0
  var reordered: UInt64 = 0
  var retransmitted: UInt64 = 0

  /// Whether it stands in the endpoint's queue of those that want to transmit.
  var isQueued = false

  init(
    _ identifiers: Identifiers, path: Path, phase: Phase, phaseDeadline: Instant,
    handshakeRoundTrip: Interval?, configuration: DatagramConfiguration, now: Instant
  ) {
    self.identifiers = identifiers
    self.configuration = configuration
    self.phase = phase
    self.phaseDeadline = phaseDeadline
    paths = PathSet(active: path, limit: configuration.maximumPathsPerConnection, at: now)
    recovery = Recovery(
      assumedRoundTrip: configuration.initialRoundTripTime,
      maximumProbeInterval: configuration.maximumProbeInterval)
    if let handshakeRoundTrip { recovery.measureHandshake(handshakeRoundTrip) }
    incoming = IncomingMessages(
      peer: identifiers.peer, bufferLimit: configuration.receiveBufferLimit,
      reorderingTolerance: configuration.reorderingTolerance)
    lastHeard = now
    lastAsked = now
  }

  var peer: PeerID { identifiers.peer }

  /// Whether messages can be given to it.
  var isOpen: Bool { phase == .established }

  // MARK: Time

  /// When `advance` has to be called next.
  var deadline: Instant? {
    switch phase {
    case .ended: return nil
    case .draining, .unconfirmed: return phaseDeadline
    case .closing(let closing): return min(phaseDeadline, closing.nextTry)
    case .established:
      var earliest = min(lastHeard + configuration.idleTimeout, nextAsking)
      if let recovery = recovery.deadline { earliest = min(earliest, recovery) }
      if let gap = incoming.gapDeadline { earliest = min(earliest, gap) }
      if let doubt {
        earliest = min(earliest, doubt.since + configuration.replacementSilence)
      }
      return earliest
    }
  }

  /// Acts on every timer that is due.
  mutating func advance(to now: Instant, events: inout Queue<TransportEvent>) {
    switch phase {
    case .ended: return
    case .draining, .unconfirmed:
      if phaseDeadline <= now { phase = .ended }
    case .closing(var closing):
      if phaseDeadline <= now {
        phase = .ended
      } else if closing.nextTry <= now {
        owesClose = true
        closing.nextTry = now + closing.interval
        closing.interval = min(closing.interval * 2, configuration.maximumProbeInterval)
        phase = .closing(closing)
      }
    case .established:
      advanceEstablished(to: now, events: &events)
    }
  }

  private mutating func advanceEstablished(
    to now: Instant, events: inout Queue<TransportEvent>
  ) {
    if lastHeard + configuration.idleTimeout <= now {
      return end(.timedOut, events: &events)
    }
    if let doubt, doubt.since + configuration.replacementSilence <= now {
      return end(doubt.reason, events: &events)
    }
    if nextAsking <= now {
      lastAsked = now
      owesPing = true
    }
    switch recovery.advance(to: now) {
    case .nothing: break
    case .losses(let outcome): apply(outcome, events: &events)
    case .probe:
      probesOwed = 1
      // Silence may mean that this way is broken and another is not.
      if recovery.probeCount >= 2 { paths.switchAway() }
    }
    tellGaps(at: now, events: &events)
  }

  /// How often a doubted peer is asked whether it lives.
  private static let doubtInterval = Interval.milliseconds(50)

  private var nextAsking: Instant {
    doubt == nil
      ? max(lastHeard, lastAsked) + configuration.keepaliveInterval
      : lastAsked + Self.doubtInterval
  }

  /// Somebody else claims this peer's identity, or somebody says in its name that there is no
  /// connection: ask the peer whether it is still there. Each time is a small chance that all is
  /// lost, on a bad network, so a stranger does not get many.
  ///
  /// - Parameter reason: what its leaving is told as, where it does not answer.
  mutating func doubt(_ reason: LeaveReason, at now: Instant) {
    guard doubt == nil, nextDoubt.map({ $0 <= now }) ?? true else { return }
    doubt = Doubt(since: now, reason: reason)
    nextDoubt = now + configuration.replacementPause
    lastAsked = now
    owesPing = true
  }

  // MARK: Beginning and ending

  mutating func establish(events: inout Queue<TransportEvent>) {
    phase = .established
    events.append(
      .peerJoined(
        peer, PeerInformation(incarnation: identifiers.remote, path: paths.current)))
  }

  /// Ends without a word to the other side.
  mutating func end(_ reason: LeaveReason, events: inout Queue<TransportEvent>) {
    tellLeaving(reason, events: &events)
    phase = .ended
  }

  /// Says goodbye, until the other side has answered or the time for it has run out.
  mutating func close(
    _ code: Frame.CloseCode, reason: LeaveReason, at now: Instant,
    events: inout Queue<TransportEvent>
  ) {
    tellLeaving(reason, events: &events)
    let interval = repetitionInterval
    phase = .closing(
      Closing(
        code: code, nextTry: now + min(interval, configuration.maximumProbeInterval),
        interval: min(interval, configuration.maximumProbeInterval)))
    phaseDeadline = now + configuration.closeTimeout
    owesClose = true
  }

  /// Shortens the wait for repetitions of the other side's goodbye, because all of this endpoint is
  /// to end: three probe timeouts are enough to answer one (RFC 9000, section 10.2).
  mutating func shortenDraining(at now: Instant) {
    guard phase == .draining else { return }
    phaseDeadline = min(phaseDeadline, now + repetitionInterval * 3)
  }

  /// How long an answer to a goodbye is waited for at first.
  private var repetitionInterval: Interval {
    max(recovery.roundTrip.probeTimeout, .milliseconds(10))
  }

  /// Tells the last things about this peer, once.
  mutating func tellLeaving(_ reason: LeaveReason, events: inout Queue<TransportEvent>) {
    guard phase == .established else { return }
    // Nothing follows `peerLeft`, relief no more than anything else.
    isUnderPressure = false
    tellGaps(at: lastHeard, all: true, events: &events)
    for message in outgoing.removeAll() {
      events.append(.givenUp(message, to: peer, .connectionEnded))
    }
    events.append(.peerLeft(peer, reason))
  }

  mutating func tellGaps(
    at now: Instant, all: Bool = false, events: inout Queue<TransportEvent>
  ) {
    while let (stream, missing) = incoming.nextGap(at: now, all: all) {
      events.append(
        .gap(
          Gap(
            peer: peer, channel: stream.channel, delivery: stream.delivery, missing: missing)))
    }
  }

  /// Takes in what recovery found out about messages.
  mutating func apply(_ outcome: Recovery.Outcome, events: inout Queue<TransportEvent>) {
    for key in outcome.acknowledged {
      guard let message = outgoing.acknowledge(key) else { continue }
      events.append(.acknowledged(message, by: peer))
    }
    for (message, packet) in outcome.lost { outgoing.markLost(message, in: packet) }
    if isUnderPressure, outgoing.heldBytes <= configuration.sendQueueLimit / 2 {
      isUnderPressure = false
      events.append(.relief(peer))
    }
  }

  // MARK: Figures

  var statistics: TransportStatistics {
    var figures = counters
    figures.datagramsSent = datagramsSent
    figures.datagramsReceived = datagramsReceived
    figures.datagramsLost = recovery.packetsLost
    figures.messagesRetransmitted = retransmitted
    figures.duplicates = duplicates
    figures.reordered = reordered
    figures.roundTripTime = recovery.roundTrip.figures
    figures.bytesInFlight = recovery.bytesInFlight
    figures.sendQueueBytes = outgoing.heldBytes
    return figures
  }
}

/// What tells one call for a connection from another.
struct Call: Hashable {
  var dialler: Incarnation
  /// The dialler's name for the connection.
  var source: ConnectionID
}
