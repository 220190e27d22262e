/// How much others can make this peer remember or send. Beacons are easily forged, so each of
/// these bounds what a stranger on the network can cause.
public struct DiscoveryLimits: Hashable, Sendable {
  /// The most candidates told in a second: 1,024. Each may cost its address one small datagram.
  public var candidatesPerSecond = 1_024 {
    didSet { check(candidatesPerSecond) }
  }

  /// How often a candidate on one path is told in a second: 6, once for each beacon of a burst.
  public var candidatesPerPathAndSecond = 6 {
    didSet { check(candidatesPerPathAndSecond) }
  }

  /// The most candidates told in a second at one IP address: 32, enough for many processes on a
  /// host, and no use for flooding one.
  public var candidatesPerHostAndSecond = 32 {
    didSet { check(candidatesPerHostAndSecond) }
  }

  /// The most answers sent in a second: 256.
  public var answersPerSecond = 256 {
    didSet { check(answersPerSecond) }
  }

  /// The most answers sent in a second to one address and port: 6, one for each beacon of a burst.
  public var answersPerAddressAndSecond = 6 {
    didSet { check(answersPerAddressAndSecond) }
  }

  /// The most answers sent in a second to one IP address: 32.
  public var answersPerHostAndSecond = 32 {
    didSet { check(answersPerHostAndSecond) }
  }

  /// The most peers remembered: 1,024. Beyond that, those not seen for longest make room.
  public var sightings = 1_024 {
    didSet { check(sightings) }
  }

  /// The most paths remembered for one peer: 8. Beyond that, the one not used for longest goes.
  public var pathsPerSighting = 8 {
    didSet { check(pathsPerSighting) }
  }

  /// The most events that wait to be pulled: 1,024. Beyond that, new ones are lost and counted.
  public var events = 1_024 {
    didSet { check(events) }
  }

  public init() {}

  private func check(_ limit: Int) {
    precondition(limit > 0, "a limit is positive")
  }
}
