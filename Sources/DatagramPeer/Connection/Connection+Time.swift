import ChatTransport
import Primitives

extension Connection {
  /// When `advance` has to be called next.
  var deadline: Instant? {
    switch phase {
    case .ended: return nil
    case .draining, .unconfirmed: return phaseDeadline
    case .closing(let closing): return min(phaseDeadline, closing.nextTry)
    case .established:
      var earliest = min(lastHeard + configuration.idleTimeout, nextAsking)
      earliest = min(earliest, recovery.deadline)
      earliest = min(earliest, received.acknowledgementDeadline)
      earliest = min(earliest, incoming.deadline)
      earliest = min(earliest, sending.expiry)
      earliest = min(earliest, copies.deadline)
      if mayWriteMore, recovery.bytesInFlight < congestion.window {
        earliest = min(earliest, pacer.nextSend)
      }
      if receiving.isUnfinished { earliest = min(earliest, nextTidying) }
      if let doubt {
        earliest = min(earliest, doubt.since + configuration.replacementSilence)
      }
      return earliest
    }
  }

  /// Acts on every timer that is due.
  mutating func advance(to now: Instant, _ workspace: inout Workspace) {
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
      advanceEstablished(to: now, &workspace)
    }
  }

  private mutating func advanceEstablished(to now: Instant, _ workspace: inout Workspace) {
    if lastHeard + configuration.idleTimeout <= now {
      return end(.timedOut, at: now, &workspace)
    }
    if let doubt, doubt.since + configuration.replacementSilence <= now {
      return end(doubt.reason, at: now, &workspace)
    }
    if nextAsking <= now {
      lastAsked = now
      owesPing = true
    }
    if nextTidying <= now { tidy(at: now, &workspace) }
    guard phase == .established else { return }
    // After a long sleep more than one of its timers is due: losses, and then a probe.
    var timersLeft = 4
    while timersLeft > 0, let due = recovery.deadline, due <= now {
      timersLeft -= 1
      workspace.outcome.removeAll()
      let probes = recovery.advance(to: now, outcome: &workspace.outcome)
      apply(&workspace, at: now)
      if probes > 0 {
        probesOwed = probes
        // Silence may mean that this way is broken and another is not.
        if recovery.probeCount >= 2 { switchPath(at: now) }
      }
    }
    giveUpExpired(at: now, &workspace)
    incoming.advance(to: now)
    tellGaps(at: now, &workspace)
  }

  /// Once in a while: gives memory back that nothing needs now, and ends a connection whose peer
  /// began a message long ago and does not finish it.
  private mutating func tidy(at now: Instant, _ workspace: inout Workspace) {
    nextTidying = now + configuration.keepaliveInterval
    if receiving.isStalled(for: configuration.unfinishedTimeout, at: now) {
      return close(.violation, reason: .brokeProtocol, at: now, &workspace)
    }
    sending.releaseStorage()
    let before = receiving.bufferedBytes
    receiving.releaseStorage()
    workspace.bufferedBytes += receiving.bufferedBytes - before
    incoming.releaseStorage()
    recovery.releaseStorage()
    unreliable.releaseStorage()
  }

  /// Turns to another path, about whose capacity nothing is known (RFC 9000, section 9.4).
  mutating func switchPath(at now: Instant) {
    let before = paths.current
    paths.switchAway()
    if paths.current != before { notePathChange(at: now) }
  }

  mutating func notePathChange(at now: Instant) {
    pathMTU.pathChanged(at: now)
    congestion = CongestionController(
      configuration.congestionControl, datagramSize: pathMTU.current)
    pacer = Pacer(datagramSize: pathMTU.current)
  }

  /// Gives up the messages that have become too old.
  private mutating func giveUpExpired(at now: Instant, _ workspace: inout Workspace) {
    guard let expiry = sending.expiry, expiry <= now else { return }
    workspace.messages.removeAll(keepingCapacity: true)
    sending.giveUpExpired(at: now, ids: &workspace.messages)
    for message in workspace.messages {
      workspace.inbox.append(.givenUp(message, to: peer, .tooOld))
    }
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
}

/// The earlier of two instants, where the second may not be there.
private func min(_ first: Instant, _ second: Instant?) -> Instant {
  second.map { Swift.min(first, $0) } ?? first
}
