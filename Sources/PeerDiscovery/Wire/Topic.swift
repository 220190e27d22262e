import Primitives

/// What peers have in common: the hash of a room's name. Peers that share no topic ignore each
/// other.
///
/// The hash keeps beacons short and of bounded size. It hides nothing: a room's name is no secret,
/// and whoever guesses it can check.
public struct Topic: Hashable, Comparable, Sendable {
  /// The hash, as it stands on the wire, big-endian.
  public let hash: UInt64

  public init(hash: UInt64) {
    self.hash = hash
  }

  /// The topic of a room: SipHash-2-4 of the UTF-8 bytes of its name, under the 16 ASCII bytes
  /// `patter room name` as the key.
  public init(room: String) {
    var hash = SipHash(key: Secret(0x7220_7265_7474_6170, 0x656D_616E_206D_6F6F))
    for byte in room.utf8 { hash.combine(byte) }
    self.hash = hash.finalize()
  }

  public static func < (left: Topic, right: Topic) -> Bool { left.hash < right.hash }
}
