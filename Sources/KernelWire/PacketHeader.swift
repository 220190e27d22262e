import Primitives

/// What the wire reads of an IPv4 packet (RFC 791, section 3.1): where it goes, and to which
/// conversation it belongs.
struct PacketHeader: Hashable {
  /// The last byte of the destination.
  let host: UInt8
  /// Whether it goes to everybody.
  let isForAll: Bool
  /// The conversation, the same for both directions; `nil` for what is neither UDP nor TCP, and
  /// for the later fragments of a packet.
  let conversation: Conversation?

  struct Conversation: Hashable {
    let `protocol`: UInt8
    let ends: [UInt64]
  }

  /// `nil` for what is not IPv4.
  init?(_ packet: Span<UInt8>) {
    guard packet.count >= 20, packet[0] >> 4 == 4 else { return nil }
    let headerSize = Int(packet[0] & 15) * 4
    var offset = 12
    guard let source = packet.uint32(at: &offset), let target = packet.uint32(at: &offset) else {
      return nil
    }
    host = packet[19]
    isForAll = packet[16] >= 224 || host == 255
    offset = headerSize
    let isFirst = (UInt16(packet[6]) << 8 | UInt16(packet[7])) & 0x1FFF == 0
    guard isFirst, packet[9] == 17 || packet[9] == 6, let from = packet.uint16(at: &offset),
      let to = packet.uint16(at: &offset)
    else {
      conversation = nil
      return
    }
    let ends = [UInt64(source) << 16 | UInt64(from), UInt64(target) << 16 | UInt64(to)]
    conversation = Conversation(protocol: packet[9], ends: ends.sorted())
  }
}
