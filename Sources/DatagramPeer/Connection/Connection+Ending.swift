import ChatTransport
import Primitives

extension Connection {
  mutating func establish(_ workspace: inout Workspace) {
    phase = .established
    workspace.inbox.append(
      .peerJoined(
        peer, PeerInformation(incarnation: identifiers.remote, path: paths.current)))
  }

  /// Ends without a word to the other side.
  mutating func end(_ reason: LeaveReason, at now: Instant, _ workspace: inout Workspace) {
    tellLeaving(reason, at: now, &workspace)
    phase = .ended
  }

  /// Says goodbye, until the other side has answered or the time for it has run out.
  mutating func close(
    _ code: Frame.CloseCode, reason: LeaveReason, at now: Instant, _ workspace: inout Workspace
  ) {
    tellLeaving(reason, at: now, &workspace)
    let interval = min(repetitionInterval, configuration.maximumProbeInterval)
    phase = .closing(Closing(code: code, nextTry: now + interval, interval: interval))
    phaseDeadline = now + configuration.closeTimeout
    owesClose = true
  }

  /// Takes in the goodbye of the other side.
  mutating func takeClose(
    _ code: Frame.CloseCode, at now: Instant, _ workspace: inout Workspace
  ) {
    switch phase {
    case .closing: phase = .ended
    case .established:
      tellLeaving(code.leaveReason, at: now, &workspace)
      phase = .draining
      phaseDeadline = now + configuration.closeTimeout
      owesClose = true
    // Only a goodbye is answered: two who both drain would answer each other's answers for ever.
    case .draining: owesClose = code == .goodbye
    case .unconfirmed, .ended: break
    }
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
  mutating func tellLeaving(
    _ reason: LeaveReason, at now: Instant, _ workspace: inout Workspace
  ) {
    guard phase == .established else { return }
    // Nothing follows `peerLeft`, relief no more than anything else.
    isUnderPressure = false
    if reason != .brokeProtocol {
      let taken = receiving.deliver(peer: peer, into: &workspace.inbox)
      counters.messagesReceived += UInt64(taken.delivered)
    }
    tellGaps(at: lastHeard, all: true, &workspace)
    workspace.messages.removeAll(keepingCapacity: true)
    sending.removeAll(ids: &workspace.messages)
    for message in workspace.messages {
      workspace.inbox.append(.givenUp(message, to: peer, .connectionEnded))
    }
    unreliable.removeAll()
    copies.removeAll()
    workspace.bufferedBytes -= receiving.bufferedBytes
    receiving = ReceiveStreams(maximumStreamWindow: 0, maximumWindow: 0)
    workspace.inbox.append(.peerLeft(peer, reason))
    if workspace.trace.isOn { traceLeaving(reason, at: now, &workspace.trace) }
  }
}

extension Connection {
  /// Tells of unreliable messages that did not come in time; of all that are missing where `all` is
  /// set.
  mutating func tellGaps(at now: Instant, all: Bool = false, _ workspace: inout Workspace) {
    while let (channel, delivery, missing) = incoming.nextGap(at: now, all: all) {
      workspace.inbox.append(
        .gap(Gap(peer: peer, channel: channel, delivery: delivery, missing: missing)))
    }
  }
}

extension Frame.CloseCode {
  /// What the leaving of a peer is told as that closes with this code.
  fileprivate var leaveReason: LeaveReason {
    switch self {
    case .goodbye: .closedByThem
    case .refused: .refused
    case .violation: .brokeProtocol
    }
  }
}
