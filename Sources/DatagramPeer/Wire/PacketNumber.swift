import Primitives

/// Packet numbers on the wire: 62 bits inside, never reused, and only their lowest 8 to 32 bits
/// written (RFC 9000, appendix A.2 and A.3).
enum PacketNumber {
  /// The fewest bytes that are written. Fewer would do for packets that come in order; but one that
  /// comes late, behind half of what its bytes can tell apart, would be taken for one that has not
  /// been sent yet: nothing like the seal of QUIC's packets gives it away. Three bytes allow for
  /// eight million packets in between.
  static let minimumWidth = 3

  /// How many bytes of `number` have to be written so that a receiver who last told us
  /// `largestAcknowledged` cannot mistake it: twice the distance must fit.
  static func width(of number: UInt64, largestAcknowledged: UInt64?) -> Int {
    let unacknowledged = largestAcknowledged.map { number - $0 } ?? number + 1
    let bitCount = 64 - unacknowledged.leadingZeroBitCount + 1
    // More than 2^31 packets under way cannot be: the limit on packets in flight is far below.
    return min(4, (bitCount + 7) / 8)
  }

  /// The number nearest to `largestReceived` + 1 whose lowest `width` bytes are `truncated`.
  static func expand(_ truncated: UInt64, width: Int, largestReceived: UInt64?) -> UInt64 {
    let expected = largestReceived.map { $0 + 1 } ?? 0
    let window: UInt64 = 1 << (UInt64(width) * 8)
    let candidate = (expected & ~(window - 1)) | truncated
    if candidate + window / 2 <= expected, candidate < variableLengthMaximum + 1 - window {
      return candidate + window
    }
    // Nothing is above 2^62 - 1: whoever counts on as far as that must not get beyond.
    let isTooLarge = candidate > expected + window / 2 || candidate > variableLengthMaximum
    return isTooLarge && candidate >= window ? candidate - window : candidate
  }
}
