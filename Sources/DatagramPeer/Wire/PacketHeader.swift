import Primitives

/// Names a connection in the datagrams that one side receives: 64 bits drawn at random by that
/// side, so that who has not seen one of its datagrams cannot write another.
struct ConnectionID: Hashable, Sendable {
  var rawValue: UInt64
}

/// The header of a data packet; Docs/WireFormat.md, "Data packets".
struct PacketHeader: Equatable {
  /// The receiver's name for the connection.
  var destination: ConnectionID
  /// The lowest bytes of the packet number.
  var truncatedNumber: UInt64
  /// How many bytes of the number are there: 1 to 4.
  var numberWidth: Int

  /// The two uppermost bits of the first byte of a data packet.
  static let mask: UInt8 = 0b1100_0000
  static let mark: UInt8 = 0b1000_0000
  /// Bits that have no meaning yet and are zero.
  private static let reserved: UInt8 = 0b0011_1100

  /// The largest size of a header in bytes.
  static let maximumSize = 1 + 8 + 4

  init(destination: ConnectionID, number: UInt64, largestAcknowledged: UInt64?) {
    self.destination = destination
    numberWidth = max(
      PacketNumber.minimumWidth,
      PacketNumber.width(of: number, largestAcknowledged: largestAcknowledged))
    truncatedNumber = number & (1 << (UInt64(numberWidth) * 8) - 1)
  }

  /// Reads a header from the start of `datagram` and leaves `offset` behind it; `nil` where there
  /// is no well-formed one.
  init?(parsing datagram: Span<UInt8>, at offset: inout Int) {
    guard let first = datagram.uint8(at: &offset), first & Self.mask == Self.mark,
      first & Self.reserved == 0
    else { return nil }
    numberWidth = Int(first & 0b11) + 1
    guard let destination = datagram.uint64(at: &offset),
      let number = datagram.bigEndian(numberWidth, at: &offset)
    else { return nil }
    self.destination = ConnectionID(rawValue: destination)
    truncatedNumber = number
  }

  func emit(into output: inout OutputSpan<UInt8>) {
    output.append(Self.mark | UInt8(numberWidth - 1))
    output.append(bigEndian: destination.rawValue)
    output.append(truncatedNumber, width: numberWidth)
  }
}
