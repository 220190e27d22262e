import Primitives

extension Span where Element == UInt8 {
  /// The length of the message that starts at `position`, which moves on to its payload; `nil`
  /// where not all bytes of the length are here. Whether the payload is, is for the caller to see.
  ///
  /// The two short forms, which nearly all messages have, are read without a call.
  @inline(__always)
  func messageLength(at position: inout Int) -> Int? {
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
  @inline(__always)
  func messageEnd(from start: Int) -> Int? {
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
struct MessageStride {
  /// The first two bytes of such a message, as far as they are its length.
  private var prefix: UInt16 = 0
  private var mask: UInt16 = 0
  /// How many bytes it has with its length; 0 where none is known.
  private(set) var size = 0

  init() {}

  /// Takes over the message from `start` to `end` of `bytes`.
  @inline(__always)
  mutating func note(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
    size = 0
    guard end - start >= 2, bytes[start] < 0x80 else { return }
    mask = bytes[start] < 0x40 ? 0xFF00 : 0xFFFF
    prefix = bytes.halfWord(at: start) & mask
    size = end - start
  }

  /// Whether a whole message of this size starts at `start` of `bytes`.
  @inline(__always)
  func fits(_ bytes: Span<UInt8>, at start: Int) -> Bool {
    size > 0 && bytes.count - start >= size && bytes.halfWord(at: start) & mask == prefix
  }
}

/// The whole messages at the start of some bytes, each with its length before it.
struct MessageWalk {
  /// How many whole messages there are.
  private(set) var count = 0
  /// Where the first one that is not whole starts.
  private(set) var end: Int
  /// Where that one ends, as far as its length is known.
  private(set) var openEnd: Int?

  /// Walks over `bytes` from the message that starts at `start`.
  init(over bytes: Span<UInt8>, from start: Int) {
    var place = start
    var stride = MessageStride()
    while let next = bytes.messageEnd(from: place) {
      guard next <= bytes.count else {
        openEnd = next
        break
      }
      stride.note(bytes, from: place, to: next)
      place = next
      count += 1
      while stride.fits(bytes, at: place) {
        place += stride.size
        count += 1
      }
    }
    end = place
  }

  /// Walks over the bytes of `ring` in `range`, which all are there; offsets are counted from the
  /// start of `range`.
  init(over ring: borrowing ByteRing, in range: Range<UInt64>) {
    var place = range.lowerBound
    while let (length, width) = ring.variableLength(at: place, below: range.upperBound) {
      let next = place + UInt64(width) + length
      guard next <= range.upperBound else {
        openEnd = Int(next - range.lowerBound)
        break
      }
      place = next
      count += 1
    }
    end = Int(place - range.lowerBound)
  }
}

extension MessageWalk {
  /// Whether the message at the start of `range` of `ring`, which all is there, is whole.
  static func hasWhole(in ring: borrowing ByteRing, _ range: Range<UInt64>) -> Bool {
    guard let (length, width) = ring.variableLength(at: range.lowerBound, below: range.upperBound)
    else { return false }
    return range.lowerBound + UInt64(width) + length <= range.upperBound
  }
}
