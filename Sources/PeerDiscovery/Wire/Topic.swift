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

  public static func < (left: Topic, right: Topic) -> Bool { left.hash < right.hash }
}
