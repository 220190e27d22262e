import Primitives

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
