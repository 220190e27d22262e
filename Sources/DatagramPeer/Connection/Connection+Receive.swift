import ChatTransport
import Primitives

extension Connection {
  /// Why a datagram was dropped, for the endpoint to count.
  enum Refusal {
    case malformed
    case duplicate
    case acknowledgementOfUnsent
    /// It holds something for which there is no place.
    case noRoom
    /// It holds a piece of a stream, and came by a path on which the peer has not shown that it is.
    case unprovenPath
    /// The connection is no longer open.
    case ended
  }

  /// Takes in a data packet whose header named this connection. `offset` is where its frames
  /// begin. All of it is checked before any of it takes effect.
  mutating func receive(
    _ packet: Span<UInt8>, header: PacketHeader, framesAt offset: Int, on path: Path,
    at now: Instant, _ workspace: inout Workspace
  ) -> Refusal? {
    counters.datagramsReceived += 1
    counters.bytesReceived += UInt64(packet.count)
    let number = PacketNumber.expand(
      header.truncatedNumber, width: header.numberWidth, largestReceived: received.largest)
    if phase == .ended { return .ended }
    if received.contains(number) {
      counters.duplicates += 1
      return .duplicate
    }
    let isProven = paths.isValidated(path.remote)
    if let refusal = check(packet, framesAt: offset, isProven: isProven, workspace) {
      return refusal
    }

    if workspace.trace.isOn {
      traceReceived(number, packet, framesAt: offset, at: now, &workspace.trace)
    }
    lastHeard = now
    doubt = nil
    receiving.hasMemory = workspace.mayBuffer
    noteHeard(on: path, isNewest: received.largest.map { number > $0 } ?? true, at: now)
    if phase == .unconfirmed { establish(&workspace) }
    var arrival = PacketArrival(number: number)
    var place = offset
    while place < packet.count, let frame = Frame(parsing: packet, at: &place) {
      if frame.isAckEliciting { arrival.isAckEliciting = true }
      take(frame, of: packet, at: now, &arrival, &workspace)
    }
    if phase == .established { tellGaps(at: now, &workspace) }
    if !arrival.bringsNews, arrival.isRepetition { counters.duplicates += 1 }
    received.acknowledgementDelay = recovery.roundTrip.acknowledgementDelay
    receiving.roundTrip = recovery.roundTrip.hasSample ? recovery.roundTrip.smoothed : nil
    let isReordered = received.insert(
      number, bringsNews: arrival.bringsNews || !arrival.isRepetition,
      isAckEliciting: arrival.isAckEliciting, at: now)
    if isReordered { counters.reordered += 1 }
    if arrival.breaksProtocol, phase == .established {
      close(.violation, reason: .brokeProtocol, at: now, &workspace)
    }
    return nil
  }

  /// What became of a packet while its frames were taken in.
  private struct PacketArrival {
    let number: UInt64
    var isAckEliciting = false
    /// Whether a message, or a piece of one, was there that had not been there before.
    var bringsNews = false
    /// Whether one was there that had.
    var isRepetition = false
    var breaksProtocol = false
  }

  /// Reads all frames, and finds out whether each can be accepted: a packet is accepted whole or
  /// not at all, as it is acknowledged whole or not at all.
  private func check(
    _ packet: Span<UInt8>, framesAt start: Int, isProven: Bool, _ workspace: borrowing Workspace
  ) -> Refusal? {
    var offset = start
    var isEmpty = true
    while offset < packet.count {
      guard let frame = Frame(parsing: packet, at: &offset) else { return .malformed }
      switch frame {
      case .padding: continue
      case .acknowledgement(let acknowledgement):
        guard recovery.isPlausible(acknowledgement) else { return .acknowledgementOfUnsent }
      case .chunk(let chunk):
        // A forged piece would spoil its stream for good.
        guard isProven else { return .unprovenPath }
        guard receiving.accepts(chunk, mayBuffer: workspace.mayBuffer) else { return .noRoom }
      case .skip(let skip):
        guard isProven else { return .unprovenPath }
        guard receiving.accepts(skip) else { return .noRoom }
      case .message:
        // They are not held back anywhere else, and need not be: nobody promised them.
        guard workspace.mayDeliver else { return .noRoom }
      case .ping, .close, .window, .streamWindow: break
      }
      isEmpty = false
    }
    return isEmpty ? .malformed : nil
  }

  private mutating func take(
    _ frame: Frame, of packet: Span<UInt8>, at now: Instant, _ arrival: inout PacketArrival,
    _ workspace: inout Workspace
  ) {
    switch frame {
    case .padding, .ping: break
    case .acknowledgement(let acknowledgement):
      // After a goodbye nothing is sent again, and nothing more is told.
      guard phase == .established else { return }
      workspace.outcome.removeAll()
      recovery.acknowledge(acknowledgement, at: now, outcome: &workspace.outcome)
      received.noteAcknowledgement(
        acknowledgement, roundTrip: recovery.roundTrip.smoothed, at: now)
      apply(&workspace, at: now)
    case .close(let code): takeClose(code, at: now, &workspace)
    case .window(let window): sending.raiseLimit(to: window.limit)
    case .streamWindow(let window): sending.raiseLimit(of: window.stream, to: window.limit)
    case .chunk(let chunk):
      takeFromStream(&arrival, &workspace) { connection, workspace in
        connection.receiving.take(
          chunk, of: packet, peer: connection.peer, mayDeliver: workspace.mayDeliver, at: now,
          into: &workspace.inbox)
      }
    case .skip(let skip):
      takeFromStream(&arrival, &workspace) { connection, workspace in
        connection.receiving.take(
          skip, peer: connection.peer, mayDeliver: workspace.mayDeliver, at: now,
          into: &workspace.inbox)
      }
    case .message(let message):
      guard phase == .established else { return }
      note(incoming.take(message, of: packet, at: now, into: &workspace.inbox), &arrival)
    }
  }

  /// After a goodbye of either side nothing more is delivered: `peerLeft` has been told.
  @inline(__always)
  private mutating func takeFromStream(
    _ arrival: inout PacketArrival, _ workspace: inout Workspace,
    _ take: (inout Connection, inout Workspace) -> ReceiveStream.Taken
  ) {
    guard phase == .established else { return }
    let before = receiving.bufferedBytes
    let taken = take(&self, &workspace)
    workspace.bufferedBytes += receiving.bufferedBytes - before
    counters.messagesReceived += UInt64(taken.delivered)
    if taken.isMalformed { arrival.breaksProtocol = true }
    if taken.isNew { arrival.bringsNews = true } else { arrival.isRepetition = true }
  }

  private mutating func note(
    _ taken: UnreliableReceiver.Taken, _ arrival: inout PacketArrival
  ) {
    switch taken {
    case .delivered:
      counters.messagesReceived += 1
      arrival.bringsNews = true
    case .kept: arrival.bringsNews = true
    case .duplicate, .stale, .refused, .contradiction: arrival.isRepetition = true
    }
  }

  /// Follows the peer to where it sends from.
  private mutating func noteHeard(on path: Path, isNewest: Bool, at now: Instant) {
    let before = paths.current.remote
    paths.noteHeard(path, isNewest: isNewest, at: now)
    if paths.current.remote != before { notePathChange(at: now) }
  }

  // MARK: What was held back

  /// Hands over messages that found no place, or whose channel was paused.
  mutating func deliver(_ workspace: inout Workspace) {
    let before = receiving.bufferedBytes
    let taken = receiving.deliver(peer: peer, into: &workspace.inbox)
    workspace.bufferedBytes += receiving.bufferedBytes - before
    counters.messagesReceived += UInt64(taken.delivered)
  }

  /// Holds the messages of the reliable kinds on a channel back.
  mutating func pause(_ channel: UInt8, _ isPaused: Bool) {
    for isOrdered in [false, true] {
      receiving.pause(StreamID(channel: channel, isOrdered: isOrdered), isPaused)
    }
  }

  // MARK: What recovery found out

  /// Acts on what an acknowledgement, or the passing of time, said about what was sent.
  mutating func apply(_ workspace: inout Workspace, at now: Instant) {
    workspace.messages.removeAll(keepingCapacity: true)
    for chunk in workspace.outcome.acknowledged {
      sending.acknowledge(chunk, ids: &workspace.messages)
    }
    for message in workspace.messages {
      workspace.inbox.append(.acknowledged(message, by: peer))
    }
    for chunk in workspace.outcome.lost { sending.markLost(chunk) }
    sending.dropSettled()
    if !copies.isEmpty { copies.dropSettled(in: sending) }
    if workspace.outcome.lostWindows { receiving.repeatWindows() }
    if let heard = workspace.outcome.largestAcknowledgementHeard { received.prune(through: heard) }
    if workspace.trace.isOn { traceLosses(workspace.outcome, at: now, &workspace.trace) }
    informCongestion(workspace.outcome, at: now)
    for fate in workspace.outcome.fates {
      redundancy.note(sentAt: fate.sentAt, isLost: fate.isLost)
    }
    if isUnderPressure, heldBytes <= configuration.sendQueueLimit / 2 {
      isUnderPressure = false
      workspace.inbox.append(.relief(peer))
    }
  }
}
