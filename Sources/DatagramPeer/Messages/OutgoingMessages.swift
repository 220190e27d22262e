import ChatTransport
import Primitives

/// Messages to one peer from their acceptance to their acknowledgement: what waits to be sent, what
/// is under way, and what has to go again.
struct OutgoingMessages {
  struct Message {
    var id: MessageID
    var stream: StreamKey
    var sequence: UInt64
    var payload: [UInt8]
    /// The packet that carried it last; losing an earlier one means nothing any more.
    var latestPacket: UInt64 = 0
    /// Whether it stands in `resend`.
    var waitsForResending = false
  }

  /// What went into a packet.
  struct Written {
    /// The keys of reliable messages.
    var keys: [UInt64] = []
    /// How many messages there are, of whatever kind.
    var count = 0
    /// How many of them had been sent before.
    var retransmitted = 0
  }

  /// Accepted and never sent.
  private var fresh = Queue<Message>()
  /// Sent, reliable and in order of their first sending; `nil` once acknowledged. The key of a
  /// message is its place counted from the very first.
  private var outstanding = Queue<Message?>()
  private var firstKey: UInt64 = 0
  /// Keys of lost messages. Those that no longer wait for it, because a probe carried them or their
  /// acknowledgement came late, are passed over; the first always waits.
  private var resend = Queue<UInt64>()
  private var nextSequence: [StreamKey: UInt64] = [:]
  /// Bytes held, with what holding a message costs.
  private(set) var heldBytes = 0

  /// What holding a message costs besides its payload, in bytes.
  static let messageCost = 64

  /// Takes a message in; the caller has checked that there is room.
  mutating func accept(_ payload: [UInt8], id: MessageID, stream: StreamKey) {
    let sequence = nextSequence[stream, default: 0]
    nextSequence[stream] = sequence + 1
    fresh.append(Message(id: id, stream: stream, sequence: sequence, payload: payload))
    heldBytes += payload.count + Self.messageCost
  }

  var isEmpty: Bool { fresh.isEmpty && outstanding.isEmpty }

  /// Whether something may be sent now, apart from limits on what is in flight.
  var hasWork: Bool { !resend.isEmpty || canStartFresh }

  /// Whether the next fresh message is within the window that the receiver keeps.
  private var canStartFresh: Bool {
    guard let next = fresh.first else { return false }
    return !next.stream.delivery.isReliable || outstanding.count < ProtocolLimits.messageWindow
  }

  /// Fills `output` with messages: lost ones first, then fresh ones, as long as they fit.
  mutating func write(into output: inout OutputSpan<UInt8>, packet: UInt64) -> Written {
    var written = Written()
    while let key = resend.first, let message = outstandingMessage(key) {
      guard write(message, key: key, into: &output, packet: packet, &written) else {
        return written
      }
      dropSettledResends()
    }
    while canStartFresh, let message = fresh.first, fits(message, in: output) {
      fresh.popFirst()
      emit(message, into: &output)
      written.count += 1
      if message.stream.delivery.isReliable {
        written.keys.append(firstKey + UInt64(outstanding.count))
        var sent = message
        sent.latestPacket = packet
        outstanding.append(sent)
      } else {
        heldBytes -= message.payload.count + Self.messageCost
      }
    }
    return written
  }

  /// Fills `output` with the oldest messages under way, for a probe.
  mutating func writeOldest(into output: inout OutputSpan<UInt8>, packet: UInt64) -> Written {
    var written = Written()
    for offset in 0..<outstanding.count {
      guard let message = outstanding[offset] else { continue }
      let key = firstKey + UInt64(offset)
      guard write(message, key: key, into: &output, packet: packet, &written) else { break }
    }
    dropSettledResends()
    return written
  }

  /// Forgets an acknowledged message. Returns its name, the first time.
  mutating func acknowledge(_ key: UInt64) -> MessageID? {
    guard let message = outstandingMessage(key) else { return nil }
    heldBytes -= message.payload.count + Self.messageCost
    outstanding[Int(key - firstKey)] = nil
    while case .some(.none) = outstanding.first {
      outstanding.popFirst()
      firstKey += 1
    }
    dropSettledResends()
    return message.id
  }

  /// Marks a message for sending again, unless a later packet carries it already.
  mutating func markLost(_ key: UInt64, in packet: UInt64) {
    guard var message = outstandingMessage(key), message.latestPacket == packet,
      !message.waitsForResending
    else { return }
    message.waitsForResending = true
    outstanding[Int(key - firstKey)] = message
    resend.append(key)
  }

  /// Ends it all. Returns the names of the reliable messages that were never acknowledged.
  mutating func removeAll() -> [MessageID] {
    var abandoned: [MessageID] = []
    while let message = outstanding.popFirst() {
      if let message { abandoned.append(message.id) }
    }
    while let message = fresh.popFirst() {
      if message.stream.delivery.isReliable { abandoned.append(message.id) }
    }
    resend.removeAll()
    heldBytes = 0
    return abandoned
  }

  /// Makes the first of `resend` one that waits for it, so that `hasWork` is the truth.
  private mutating func dropSettledResends() {
    while let key = resend.first, outstandingMessage(key)?.waitsForResending != true {
      resend.popFirst()
    }
  }

  private func outstandingMessage(_ key: UInt64) -> Message? {
    guard key >= firstKey, key - firstKey < UInt64(outstanding.count) else { return nil }
    return outstanding[Int(key - firstKey)]
  }

  /// Writes a message that was sent before; false where it does not fit.
  private mutating func write(
    _ message: Message, key: UInt64, into output: inout OutputSpan<UInt8>, packet: UInt64,
    _ written: inout Written
  ) -> Bool {
    guard fits(message, in: output) else { return false }
    emit(message, into: &output)
    var sent = message
    sent.latestPacket = packet
    sent.waitsForResending = false
    outstanding[Int(key - firstKey)] = sent
    written.keys.append(key)
    written.count += 1
    written.retransmitted += 1
    return true
  }

  private func fits(_ message: Message, in output: borrowing OutputSpan<UInt8>) -> Bool {
    MessageFrame.size(sequence: message.sequence, payloadSize: message.payload.count)
      <= output.datagramRoom
  }

  private func emit(_ message: Message, into output: inout OutputSpan<UInt8>) {
    MessageFrame.emit(
      delivery: message.stream.delivery, channel: message.stream.channel,
      sequence: message.sequence, payload: message.payload, into: &output)
  }
}
