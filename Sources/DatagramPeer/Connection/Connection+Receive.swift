import ChatTransport
import Primitives

extension Connection {
  /// Why a datagram was dropped, for the endpoint to count.
  enum Refusal {
    case malformed
    case duplicate
    case acknowledgementOfUnsent
    /// It holds a message for which there is no place.
    case noRoom
    /// The connection is no longer open.
    case ended
  }

  /// Takes in a data packet whose header named this connection. `offset` is where its frames
  /// begin. All of it is checked before any of it takes effect.
  mutating func receive(
    _ packet: Span<UInt8>, header: PacketHeader, framesAt offset: Int, on path: Path,
    at now: Instant, events: inout Queue<TransportEvent>
  ) -> Refusal? {
    datagramsReceived += 1
    counters.bytesReceived = (counters.bytesReceived ?? 0) + UInt64(packet.count)
    let number = PacketNumber.expand(
      header.truncatedNumber, width: header.numberWidth, largestReceived: received.largest)
    if phase == .ended { return .ended }
    if received.contains(number) {
      duplicates += 1
      return .duplicate
    }
    var frames: [Frame] = []
    let isUserReading = events.count < configuration.maximumWaitingEvents
    let refusal = check(packet, framesAt: offset, takesMessages: isUserReading, into: &frames)
    if let refusal { return refusal }

    lastHeard = now
    doubt = nil
    paths.noteHeard(path, isNewest: received.largest.map { number > $0 } ?? true, at: now)
    if phase == .unconfirmed { establish(events: &events) }
    let isAckEliciting = frames.contains(where: \.isAckEliciting)
    if received.insert(number, isAckEliciting: isAckEliciting, at: now) { reordered += 1 }
    for frame in frames { take(frame, of: packet, at: now, events: &events) }
    // At once and not only when time passes: the peer sets the pace at which holes appear.
    tellGaps(at: now, events: &events)
    return nil
  }

  /// Reads all frames, and finds out whether each can be accepted: a packet is accepted whole or
  /// not at all, as it is acknowledged whole or not at all.
  private func check(
    _ packet: Span<UInt8>, framesAt start: Int, takesMessages: Bool, into frames: inout [Frame]
  ) -> Refusal? {
    var offset = start
    while offset < packet.count {
      guard let frame = Frame(parsing: packet, at: &offset) else { return .malformed }
      switch frame {
      case .padding: continue
      case .acknowledgement(let acknowledgement):
        guard recovery.isPlausible(acknowledgement) else { return .acknowledgementOfUnsent }
      case .message(let message):
        guard takesMessages, incoming.accepts(message) else { return .noRoom }
      case .ping, .close: break
      }
      frames.append(frame)
    }
    return frames.isEmpty ? .malformed : nil
  }

  private mutating func take(
    _ frame: Frame, of packet: Span<UInt8>, at now: Instant, events: inout Queue<TransportEvent>
  ) {
    switch frame {
    case .padding, .ping: break
    case .acknowledgement(let acknowledgement):
      apply(recovery.acknowledge(acknowledgement, at: now), events: &events)
    case .message(let message):
      take(message, of: packet, at: now, events: &events)
    case .close(let code):
      takeClose(code, at: now, events: &events)
    }
  }

  private mutating func take(
    _ message: MessageFrame, of packet: Span<UInt8>, at now: Instant,
    events: inout Queue<TransportEvent>
  ) {
    // After a goodbye of either side nothing more is delivered: `peerLeft` has been told.
    guard phase == .established else { return }
    if let count = incoming.take(message, in: packet, at: now, events: &events) {
      counters.messagesReceived += UInt64(count)
    } else {
      duplicates += 1
    }
  }

  private mutating func takeClose(
    _ code: Frame.CloseCode, at now: Instant, events: inout Queue<TransportEvent>
  ) {
    switch phase {
    case .closing: phase = .ended
    case .established:
      tellLeaving(code == .refused ? .refused : .closedByThem, events: &events)
      phase = .draining
      phaseDeadline = now + configuration.closeTimeout
      owesClose = true
    case .draining: owesClose = true
    case .unconfirmed, .ended: break
    }
  }
}
