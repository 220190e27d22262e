/// An IPv4 or IPv6 address as a value: no socket is needed to hold, compare or print one.
public struct IPAddress: Hashable, Sendable {
  /// The address family.
  public enum Family: UInt8, Hashable, Sendable, CaseIterable {
    case ipv4 = 4
    case ipv6 = 6

    /// The number of bits in an address of this family.
    public var bitCount: Int { self == .ipv4 ? 32 : 128 }
  }

  public let family: Family
  /// The upper 64 bits of an IPv6 address; zero for IPv4.
  public let high: UInt64
  /// The lower 64 bits of an IPv6 address; the 32 bits of an IPv4 address.
  public let low: UInt64

  /// Creates an IPv4 address from its 32 bits, the first octet uppermost.
  public init(ipv4 bits: UInt32) {
    family = .ipv4
    high = 0
    low = UInt64(bits)
  }

  /// Creates an IPv6 address from its two halves.
  public init(ipv6High high: UInt64, low: UInt64) {
    family = .ipv6
    self.high = high
    self.low = low
  }

  /// Creates an IPv4 address from its octets.
  public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    self.init(ipv4: UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d))
  }

  /// Whether this is a group address (RFC 5771 and RFC 4291, section 2.7).
  public var isMulticast: Bool {
    family == .ipv4 ? low >> 28 == 0xE : high >> 56 == 0xFF
  }

  /// Whether this is 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    family == .ipv4 ? low >> 24 == 127 : high == 0 && low == 1
  }

  /// Whether this is 169.254.0.0/16 or fe80::/10, which mean nothing without their interface.
  public var isLinkLocal: Bool {
    family == .ipv4 ? low >> 16 == 0xA9FE : high >> 54 == 0x3FA
  }

  /// Whether this is 0.0.0.0 or ::.
  public var isUnspecified: Bool { high == 0 && low == 0 }

  /// Whether the first `length` bits of both addresses are the same, in the same family.
  public func hasSamePrefix(as other: IPAddress, length: Int) -> Bool {
    guard family == other.family, length >= 0, length <= family.bitCount else { return false }
    if family == .ipv4 { return (low ^ other.low) >> (32 - UInt64(length)) == 0 }
    let highDifference = high ^ other.high
    if length <= 64 { return length == 0 || highDifference >> (64 - UInt64(length)) == 0 }
    return highDifference == 0 && (low ^ other.low) >> (128 - UInt64(length)) == 0
  }
}
