import Primitives

/// What stands for a room's name on the wire: SipHash-2-4 of its UTF-8 with a key of zeros.
///
/// It saves bytes and keeps rooms apart. It hides nothing: a room's name is no secret, and whoever
/// has the hash can try names.
public struct RoomHash: Hashable, Sendable {
  /// The number that SipHash gives; on the wire its most significant byte stands first.
  public let rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// The hash of a room's name, exactly as it is spelt.
  public init(of name: String) {
    var hash = SipHash(key: Secret(0, 0))
    for byte in name.utf8 { hash.combine(byte) }
    rawValue = hash.finalize()
  }
}
