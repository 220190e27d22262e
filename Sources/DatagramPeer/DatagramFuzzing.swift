import Primitives

/// The decoders of this module for a fuzzer: they may refuse any bytes, and trap on none. What they
/// take is checked by preconditions.
package enum DatagramFuzzing {
  /// A whole datagram: a handshake packet, or a data packet with all its frames.
  package static func datagram(_ bytes: Span<UInt8>) {
    if let packet = HandshakePacket(parsing: bytes) {
      precondition(packet.encoded() == bytes.copy(0..<bytes.count), "one encoding for each packet")
    }
    var offset = 0
    guard let header = PacketHeader(parsing: bytes, at: &offset) else { return }
    number(header)
    frames(bytes, at: &offset)
  }

  /// Frames as they stand behind a header.
  package static func frames(_ bytes: Span<UInt8>) {
    var offset = 0
    frames(bytes, at: &offset)
  }

  /// What stands behind the kind of an acknowledgement.
  package static func acknowledgement(_ bytes: Span<UInt8>) {
    var offset = 0
    guard let acknowledgement = Acknowledgement(parsing: bytes, at: &offset) else { return }
    precondition(offset <= bytes.count, "nothing beyond the end is read")
    let ranges = acknowledgement.ranges
    precondition(ranges.count <= Acknowledgement.maximumRangeCount, "ranges are few")
    for (upper, lower) in zip(ranges, ranges.dropFirst()) {
      precondition(lower.upperBound < upper.lowerBound - 1, "ranges descend without touching")
    }
  }

  private static func frames(_ bytes: Span<UInt8>, at offset: inout Int) {
    while offset < bytes.count {
      let start = offset
      guard Frame(parsing: bytes, at: &offset) != nil else { return }
      precondition(offset > start && offset <= bytes.count, "each frame takes some of the bytes")
    }
  }

  private static func number(_ header: PacketHeader) {
    // Numbers that were received before, from none to the largest there is.
    for largest in [nil, 0, header.destination.rawValue >> 2] as [UInt64?] {
      let number = PacketNumber.expand(
        header.truncatedNumber, width: header.numberWidth, largestReceived: largest)
      let mask: UInt64 = 1 << (UInt64(header.numberWidth) * 8) - 1
      precondition(number & mask == header.truncatedNumber, "what was written is kept")
      precondition(number <= variableLengthMaximum, "numbers have 62 bits")
    }
  }
}
