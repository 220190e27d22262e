import ChatTransport
import Primitives

/// A message of one of the two unreliable kinds, or a fragment of one; Docs/WireFormat.md,
/// "Frames".
struct UnreliableFrame: Equatable {
  var key: UnreliableKey
  /// Its number among the messages of this channel and delivery, from 0 upwards.
  var sequence: UInt64
  /// The size of the whole message in bytes.
  var totalSize: Int
  /// Where in the message the bytes here begin.
  var offset: Int
  /// Where the bytes stand in the packet.
  var bytes: Range<Int>

  /// Kinds of frames; the lowest bit of each is the delivery.
  enum Kind {
    static let whole: UInt8 = 0x10
    static let fragment: UInt8 = 0x14
  }

  /// The largest message of the unreliable kinds, in bytes.
  static let maximumMessageSize = 1 << 16

  var isWhole: Bool { bytes.count == totalSize }

  static func isKind(_ kind: UInt8) -> Bool {
    kind & 0xFE == Kind.whole || kind & 0xFE == Kind.fragment
  }

  /// Reads what follows after `kind`, for which `isKind` is true, and leaves `offset` behind it;
  /// `nil` where it is malformed.
  init?(kind: UInt8, parsing packet: Span<UInt8>, at offset: inout Int) {
    guard let channel = packet.uint8(at: &offset),
      let sequence = packet.variableLength(at: &offset)
    else { return nil }
    key = UnreliableKey(channel: channel, isSequenced: kind & 1 == 1)
    self.sequence = sequence
    let limit = UInt64(Self.maximumMessageSize)
    if kind & 0xFE == Kind.whole {
      guard let length = packet.variableLength(at: &offset), length <= limit,
        let bytes = packet.bytes(Int(length), at: &offset)
      else { return nil }
      totalSize = Int(length)
      self.offset = 0
      self.bytes = bytes
    } else {
      guard let total = packet.variableLength(at: &offset), total <= limit,
        let start = packet.variableLength(at: &offset), start < total,
        let length = packet.variableLength(at: &offset), length >= 1, length <= total - start,
        let bytes = packet.bytes(Int(length), at: &offset)
      else { return nil }
      totalSize = Int(total)
      self.offset = Int(start)
      self.bytes = bytes
    }
  }

  static func wholeSize(sequence: UInt64, payloadSize: Int) -> Int {
    2 + variableLengthWidth(sequence) + variableLengthWidth(UInt64(payloadSize)) + payloadSize
  }

  static func emitWhole(
    key: UnreliableKey, sequence: UInt64, payload: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    output.append(Kind.whole | (key.isSequenced ? 1 : 0))
    output.append(key.channel)
    output.append(variableLength: sequence)
    output.append(variableLength: UInt64(payload.count))
    output.append(contentsOf: payload)
  }

  /// How many bytes of a message a fragment within `room` bytes can carry; zero or less where it
  /// can carry none.
  static func fragmentCapacity(sequence: UInt64, totalSize: Int, offset: Int, room: Int) -> Int {
    let head =
      2 + variableLengthWidth(sequence) + variableLengthWidth(UInt64(totalSize))
      + variableLengthWidth(UInt64(offset))
    let rest = room - head
    guard rest > 1 else { return 0 }
    return rest - variableLengthWidth(UInt64(min(rest, totalSize - offset)))
  }

  static func emitFragment(
    key: UnreliableKey, sequence: UInt64, totalSize: Int, offset: Int, bytes: Span<UInt8>,
    into output: inout OutputSpan<UInt8>
  ) {
    output.append(Kind.fragment | (key.isSequenced ? 1 : 0))
    output.append(key.channel)
    output.append(variableLength: sequence)
    output.append(variableLength: UInt64(totalSize))
    output.append(variableLength: UInt64(offset))
    output.append(variableLength: UInt64(bytes.count))
    output.append(contentsOf: bytes)
  }
}
