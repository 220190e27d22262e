public import Primitives

/// How a peer looks for others and lets itself be found.
public struct DiscoveryConfiguration: Hashable, Sendable {
  /// Whether beacons are sent and heard at all; without, nothing is joined, sent or answered.
  public var isEnabled = true

  /// Whether this peer only looks who is here: it asks, is never dialled, and dials nobody.
  public var isObserver = false

  /// The port that beacons are sent to; the same for all. Not zero.
  public var port: UInt16 = LANDefaults.port {
    didSet { precondition(port != 0, "beacons are sent to a port") }
  }

  /// The IPv4 group; `nil` leaves IPv4 out.
  public var ipv4Group: IPAddress? = LANDefaults.ipv4Group {
    didSet { check(ipv4Group, is: .ipv4) }
  }

  /// The IPv6 group; `nil` leaves IPv6 out.
  public var ipv6Group: IPAddress? = LANDefaults.ipv6Group {
    didSet { check(ipv6Group, is: .ipv6) }
  }

  /// The names of the interfaces to use, even where they are point-to-point; empty for all that
  /// look like a local network.
  public var interfaceNames: [String] = []

  public var timing = DiscoveryTiming()
  public var limits = DiscoveryLimits()

  public init() {}

  /// The group of a family; `nil` where the family is left out.
  public func group(_ family: IPAddress.Family) -> IPAddress? {
    family == .ipv4 ? ipv4Group : ipv6Group
  }

  private func check(_ group: IPAddress?, is family: IPAddress.Family) {
    guard let group else { return }
    precondition(group.family == family && group.isMulticast, "\(group) is no \(family) group")
  }
}
