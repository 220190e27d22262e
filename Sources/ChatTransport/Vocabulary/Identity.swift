/// Who somebody is, for as long as he keeps it: 16 random bytes. A name is only a label beside it.
public struct Identity: Hashable, Comparable, Sendable {
  /// The first eight bytes on the wire.
  public let high: UInt64
  /// The last eight bytes on the wire.
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The order of the bytes on the wire; it decides which of two peers dials.
  public static func < (left: Identity, right: Identity) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension Identity: CustomStringConvertible {
  /// The 16 bytes as 32 hexadecimal digits.
  public var description: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Reads the 32 hexadecimal digits that `description` writes.
  public init?(_ text: some StringProtocol) {
    let digits = Array(text.utf8)
    let isHex = digits.allSatisfy {
      (48...57).contains($0) || (65...70).contains($0) || (97...102).contains($0)
    }
    guard digits.count == 32, isHex,
      let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

/// One life of an identity, from start to end of a program: a restart has the same identity and a
/// greater epoch, and what an earlier life sent is refused.
public struct Incarnation: Hashable, Comparable, Sendable {
  public var identity: Identity
  /// Greater with every start; milliseconds since 1970 at the start, by convention.
  public var epoch: UInt64

  public init(identity: Identity, epoch: UInt64) {
    self.identity = identity
    self.epoch = epoch
  }

  public static func < (left: Incarnation, right: Incarnation) -> Bool {
    left.identity == right.identity ? left.epoch < right.epoch : left.identity < right.identity
  }
}
