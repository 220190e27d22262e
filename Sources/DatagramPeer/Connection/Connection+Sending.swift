import ChatTransport
import Primitives

extension Connection {
  /// Bytes of messages that wait to be sent or acknowledged, with what holding them costs.
  var heldBytes: Int { sending.heldBytes + unreliable.heldBytes }

  /// Whether a message of `size` bytes may be queued. One that is large by itself is taken while
  /// the queue is half empty, whatever its size.
  func hasRoom(for size: Int) -> Bool {
    let limit = configuration.sendQueueLimit
    return heldBytes + size <= limit || (size > limit / 2 && heldBytes <= limit / 2)
  }

  /// Queues a message, for which there is room. Returns false where the queue of messages that
  /// may be lost is full all the same.
  mutating func accept(
    _ payload: Span<UInt8>, id: MessageID, _ options: SendOptions, at now: Instant
  ) -> Bool {
    let expires = options.maximumAge.map { now + $0 }
    switch options.delivery {
    case .unreliable, .sequenced:
      guard
        unreliable.append(
          payload, channel: options.channel, delivery: options.delivery, expires: expires)
      else { return false }
    case .reliable, .ordered:
      sending.append(
        payload, to: StreamID(channel: options.channel, isOrdered: options.delivery == .ordered),
        message: id, reports: options.reportsAcknowledgement, expires: expires)
    }
    counters.messagesSent += 1
    return true
  }

  /// Queues messages of an ordered or reliable stream that are in the form of the wire.
  mutating func accept(
    run: Span<UInt8>, count: Int, first: MessageID, _ options: SendOptions
  ) {
    sending.append(
      run: run, count: count,
      to: StreamID(channel: options.channel, isOrdered: options.delivery == .ordered), first: first,
      reports: options.reportsAcknowledgement)
    counters.messagesSent += UInt64(count)
  }

  /// Tells, once, that the queue has become long.
  mutating func notePressure(adding size: Int, _ workspace: inout Workspace) {
    guard !isUnderPressure, heldBytes + size > configuration.sendQueueLimit / 4 * 3 else { return }
    isUnderPressure = true
    workspace.inbox.append(.pressure(peer))
  }

  // MARK: Congestion

  /// Tells congestion control and path MTU discovery what became of what was sent.
  mutating func informCongestion(_ outcome: borrowing RecoveryOutcome, at now: Instant) {
    if outcome.spurious { congestion.undo() }
    if outcome.acknowledgedBytes > 0, let newest = outcome.newestAcknowledgedSentAt {
      congestion.didAcknowledge(
        bytes: outcome.acknowledgedBytes, newestSentAt: newest,
        wasWindowLimited: congestion.wasWindowLimited(since: newest),
        roundTrip: recovery.roundTrip, at: now)
    }
    if outcome.lostBytes > 0, let newest = outcome.newestLostSentAt {
      congestion.didLose(
        bytes: outcome.lostBytes, newestSentAt: newest,
        isPersistent: outcome.isPersistentCongestion,
        wasWindowLimited: congestion.wasWindowFull(since: newest),
        bytesInFlight: recovery.bytesInFlight, roundTrip: recovery.roundTrip, at: now)
    }
    let before = pathMTU.current
    if let size = outcome.probeAcknowledged { pathMTU.didAcknowledge(size: size, isProbe: true) }
    if let size = outcome.probeLost { pathMTU.didLose(size: size, isProbe: true, at: now) }
    for fate in outcome.fates {
      if fate.isLost {
        pathMTU.didLose(size: Int(fate.size), isProbe: false, at: now)
      } else {
        pathMTU.didAcknowledge(size: Int(fate.size), isProbe: false)
      }
    }
    if pathMTU.current != before { noteDatagramSize() }
  }

  /// The kernel says that a datagram of this size does not fit the path.
  mutating func didFailToSend(size: Int, at now: Instant) {
    let before = pathMTU.current
    pathMTU.didFailToSend(size: size)
    if pathMTU.current != before { noteDatagramSize() }
  }

  private mutating func noteDatagramSize() {
    congestion.datagramSizeChanged(to: pathMTU.current)
    pacer.datagramSizeChanged(to: pathMTU.current)
    unreliable.packetRoom = pathMTU.current - PacketHeader.maximumSize
  }

  // MARK: Figures

  var statistics: TransportStatistics {
    var figures = TransportStatistics()
    figures.messagesSent = counters.messagesSent
    figures.messagesReceived = counters.messagesReceived
    figures.bytesSent = counters.bytesSent
    figures.bytesReceived = counters.bytesReceived
    figures.datagramsSent = counters.datagramsSent
    figures.datagramsReceived = counters.datagramsReceived
    figures.datagramsLost = recovery.packetsLost
    figures.spuriouslyLost = recovery.spuriousLosses
    figures.bytesRetransmitted = counters.retransmittedBytes
    figures.bytesRedundant = counters.redundantBytes
    figures.duplicates = counters.duplicates
    figures.reordered = counters.reordered
    figures.roundTripTime = recovery.roundTrip.figures
    figures.bytesInFlight = recovery.bytesInFlight
    figures.congestionWindow = congestion.window
    figures.datagramSize = pathMTU.current
    figures.sendQueueBytes = heldBytes
    return figures
  }
}
