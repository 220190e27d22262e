public import ChatTransport
public import Primitives

/// What discovery tells its owner. All of it is hearsay: a beacon is easily forged.
public enum DiscoveryEvent: Hashable, Sendable {
  /// Somebody seems to be there: worth one small datagram to its address, and nothing more until
  /// that address has answered. Of the two, the greater incarnation sends it. Told once for each
  /// beacon within `DiscoveryLimits`, and never in observer mode.
  case candidate(Candidate)

  /// In observer mode: somebody was seen for the first time.
  case sighted(Sighting)

  /// Somebody who was seen on this path said goodbye there. It is a hint to ask whether he still
  /// answers, not a reason to close a connection: those say goodbye themselves.
  case departed(Incarnation, Path)
}

/// A peer that seems to be reachable on a path.
public struct Candidate: Hashable, Sendable {
  public var incarnation: Incarnation
  /// What it calls itself; see `Beacon.name`.
  public var name: String
  /// Where its beacon came from, and our address and interface to answer with.
  public var path: Path
  /// How many bytes its beacon had: what is sent there because of it is to be bounded by that.
  public var beaconSize: Int
  /// Whether it has shown that it is not connected to us, for all it knows.
  public var deniesConnection: Bool

  public init(
    incarnation: Incarnation, name: String, path: Path, beaconSize: Int,
    deniesConnection: Bool = false
  ) {
    self.incarnation = incarnation
    self.name = name
    self.path = path
    self.beaconSize = beaconSize
    self.deniesConnection = deniesConnection
  }
}

/// What is known from beacons about one peer.
public struct Sighting: Hashable, Sendable {
  public var incarnation: Incarnation
  /// What it calls itself; see `Beacon.name`.
  public var name: String
  /// Where its beacons come from, in the order in which they were first seen.
  public var paths: [Path]
  public var lastSeen: Instant

  public init(incarnation: Incarnation, name: String, paths: [Path], lastSeen: Instant) {
    self.incarnation = incarnation
    self.name = name
    self.paths = paths
    self.lastSeen = lastSeen
  }
}
