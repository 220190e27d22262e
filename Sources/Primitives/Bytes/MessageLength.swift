extension Span where Element == UInt8 {
  /// The length of the message that starts at `position`, which moves on to its payload; `nil`
  /// where not all bytes of the length are here. Whether the payload is, is for the caller to see.
  ///
  /// The two short forms, which nearly all messages have, are read without a call.
  @inlinable @inline(__always)
  public func messageLength(at position: inout Int) -> Int? {
    guard position < count else { return nil }
    let first = self[position]
    if first < 0b0100_0000 {
      position += 1
      return Int(first)
    }
    if first < 0b1000_0000 {
      guard position + 1 < count else { return nil }
      let length = Int(first & 0b0011_1111) << 8 | Int(self[position + 1])
      position += 2
      return length
    }
    return variableLength(at: &position).map { Int($0) }
  }

  /// Where the message that starts at `start` ends, perhaps behind the last byte that is here;
  /// `nil` where not all bytes of its length are here.
  @inlinable @inline(__always)
  public func messageEnd(from start: Int) -> Int? {
    var position = start
    guard let length = messageLength(at: &position) else { return nil }
    return position + length
  }
}

/// The length that the messages of a stream have at present.
///
/// Messages often come in one size. Where the next one is as long as the last, which is seen from
/// two bytes, the processor can go on to the one behind it without waiting for these bytes: walking
/// over small messages takes half the time.
public struct MessageStride {
  /// The first two bytes of such a message, as far as they are its length.
  @usableFromInline var prefix: UInt16 = 0
  @usableFromInline var mask: UInt16 = 0
  @usableFromInline var length = 0

  @inlinable public init() {}

  /// How many bytes it has with its length; 0 where none is known.
  @inlinable public var size: Int { length }

  /// Takes over the message from `start` to `end` of `bytes`.
  @inlinable @inline(__always)
  public mutating func note(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    length = 0
    guard end - start >= 2, bytes[start] < 0x80 else { return }
    mask = bytes[start] < 0x40 ? 0xFF00 : 0xFFFF
    prefix = bytes.halfWord(at: start) & mask
    length = end - start
  }

  /// Whether a whole message of this size starts at `start` of `bytes`.
  @inlinable @inline(__always)
  public func fits(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    size > 0 && bytes.count - start >= size && bytes.halfWord(at: start) & mask == prefix
  }
}
