import Primitives

/// An interface in use, with its networks and the time of its next beacon.
struct Link: Sendable {
  /// One network of the interface: where beacons to it are sent from, and to which group.
  struct Outlet: Hashable, Sendable {
    var address: NetworkInterface.Address
    var group: IPAddress
  }

  var interface: NetworkInterface
  /// IPv4 before IPv6; never empty.
  let outlets: [Outlet]
  /// How many beacons of the burst have been sent on each outlet.
  var burstCount = 0
  /// Which outlet's turn it is when the burst is over.
  var turn = 0
  /// When the next beacon is due; `nil` where none is.
  var nextBeacon: Instant?

  /// Takes an interface into use; `nil` where it is no local network, or not wanted.
  init?(_ interface: NetworkInterface, configuration: DiscoveryConfiguration) {
    let names = configuration.interfaceNames
    let isNamed = names.contains(interface.name)
    let isLocalNetwork =
      interface.supportsMulticast && (!interface.isPointToPoint || isNamed)
    guard interface.index != 0, interface.isUp, names.isEmpty || isNamed,
      isLocalNetwork || interface.isLoopback
    else { return nil }
    outlets = Self.outlets(of: interface, configuration)
    guard !outlets.isEmpty else { return nil }
    self.interface = interface
  }

  /// What has to be joined here: each group once.
  var memberships: [Membership] {
    var memberships: [Membership] = []
    for outlet in outlets where memberships.last?.group != outlet.group {
      memberships.append(
        Membership(group: outlet.group, interface: interface.index, local: outlet.address.ip))
    }
    return memberships
  }

  /// The path of a beacon to the group.
  func path(of outlet: Outlet, port: UInt16) -> Path {
    let scope = outlet.group.family == .ipv6 ? interface.index : 0
    return Path(
      remote: SocketAddress(ip: outlet.group, port: port, scope: scope), local: outlet.address.ip,
      interface: interface.index)
  }

  /// Our own address to answer `remote` with.
  func localAddress(facing remote: IPAddress) -> IPAddress? {
    let sameNetwork = interface.addresses.first {
      $0.ip.hasSamePrefix(as: remote, length: $0.prefixLength)
    }
    return (sameNetwork ?? outlets.first { $0.address.ip.family == remote.family }?.address)?.ip
  }

  private static func outlets(
    of interface: NetworkInterface, _ configuration: DiscoveryConfiguration
  ) -> [Outlet] {
    var outlets: [Outlet] = []
    if let group = configuration.ipv4Group {
      for address in interface.addresses where address.ip.family == .ipv4 {
        // A host in a second network of the interface would not believe an address of the first.
        let isCovered = outlets.contains {
          $0.address.ip.hasSamePrefix(as: address.ip, length: $0.address.prefixLength)
        }
        if !isCovered { outlets.append(Outlet(address: address, group: group)) }
      }
    }
    // Linux does not route IPv6 multicast on the loopback interface.
    if let group = configuration.ipv6Group, !interface.isLoopback,
      let address = interface.addresses.first(where: {
        $0.ip.family == .ipv6 && $0.ip.isLinkLocal
      })
    {
      outlets.append(Outlet(address: address, group: group))
    }
    return outlets
  }
}
