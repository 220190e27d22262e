import ChatTransport
import Primitives

extension Connection {
  /// Whether `transmit` has a datagram to write.
  var wantsToTransmit: Bool {
    switch phase {
    case .unconfirmed, .ended: return false
    case .closing, .draining: return owesClose
    case .established:
      return received.owesAcknowledgement || probesOwed > 0 || owesPing
        || (outgoing.hasWork && mayStart)
    }
  }

  /// Whether the limits on what is in flight let a new packet of messages go.
  private var mayStart: Bool {
    recovery.packetsInFlight < configuration.maximumPacketsInFlight
  }

  /// Writes the next datagram. Returns the path it is for, or `nil` where there is none.
  mutating func transmit(into output: inout OutputSpan<UInt8>, at now: Instant) -> Path? {
    guard wantsToTransmit else { return nil }
    let number = recovery.takePacketNumber()
    PacketHeader(
      destination: identifiers.remoteID, number: number,
      largestAcknowledged: recovery.largestAcknowledged
    ).emit(into: &output)
    if phase == .established {
      writeFrames(into: &output, packet: number, at: now)
    } else {
      writeClose(into: &output)
    }
    datagramsSent += 1
    counters.bytesSent = (counters.bytesSent ?? 0) + UInt64(output.count)
    return paths.current
  }

  private mutating func writeFrames(
    into output: inout OutputSpan<UInt8>, packet: UInt64, at now: Instant
  ) {
    var written = OutgoingMessages.Written()
    if probesOwed > 0 {
      probesOwed -= 1
      // Before the acknowledgement, which might leave no room for a message of full size.
      written = outgoing.writeOldest(into: &output, packet: packet)
      if written.count == 0 { owesPing = true }
      received.writeAcknowledgement(into: &output, at: now)
    } else {
      received.writeAcknowledgement(into: &output, at: now)
      if mayStart { written = outgoing.write(into: &output, packet: packet) }
    }
    retransmitted += UInt64(written.retransmitted)
    // A packet of messages is a question in itself.
    if written.count == 0, owesPing { output.append(Frame.Kind.ping) }
    guard written.count > 0 || owesPing else { return }
    owesPing = false
    recovery.didSend(
      SentPacket(number: packet, sentAt: now, size: output.count, messages: written.keys))
  }

  private mutating func writeClose(into output: inout OutputSpan<UInt8>) {
    owesClose = false
    var code = Frame.CloseCode.goodbye
    if case .closing(let closing) = phase { code = closing.code }
    output.append(Frame.Kind.close)
    output.append(code.rawValue)
  }
}
