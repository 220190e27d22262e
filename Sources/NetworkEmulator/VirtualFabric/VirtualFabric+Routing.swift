import Primitives

// Which hosts a path leads to, by the rules of a host's IP stack.
extension VirtualFabric {
  typealias Attachment = HostConfiguration.Attachment
  /// One interface of one host.
  typealias Station = (host: FabricHost, place: Int)

  /// Works a route out for the present state of the network.
  mutating func resolve(_ route: inout Route, from host: FabricHost) {
    let path = route.path
    route.topology = topology
    route.targets = []
    route.dropReason = nil
    route.source = SocketAddress(ip: .unspecified(path.remote.ip.family), port: 0)
    guard let place = attachment(of: host, for: path),
      let source = source(for: path, on: host.configuration.attachments[place])
    else {
      route.dropReason = .unroutable
      return
    }
    route.source = SocketAddress(ip: source, port: host.configuration.port)
    if path.remote.ip.isMulticast {
      addGroup(to: &route, from: (host, place))
    } else {
      addOwner(to: &route, from: (host, place))
    }
  }

  /// The host that has an address on a segment, and at which of its attachments.
  func owner(of ip: IPAddress, on segment: Int) -> Station? {
    for case .some(let host) in hosts {
      for (place, attachment) in host.configuration.attachments.enumerated()
      where attachment.segment == segment && attachment.has(ip) {
        return (host, place)
      }
    }
    return nil
  }

  private mutating func addGroup(to route: inout Route, from sender: Station) {
    let segment = sender.host.configuration.attachments[sender.place].segment
    for case .some(let host) in hosts where host.hasJoined(route.path.remote) {
      for (other, attachment) in host.configuration.attachments.enumerated()
      where attachment.segment == segment && attachment.interface.isUp {
        addTarget(to: &route, from: sender, to: (host, other))
      }
    }
    if route.targets.isEmpty { route.dropReason = .unheard }
  }

  private mutating func addOwner(to route: inout Route, from sender: Station) {
    let segment = sender.host.configuration.attachments[sender.place].segment
    guard let owner = owner(of: route.path.remote.ip, on: segment),
      owner.host.configuration.attachments[owner.place].interface.isUp
    else {
      route.dropReason = .unreachable
      return
    }
    guard owner.host.hears(route.path.remote.port) else {
      route.dropReason = .unheard
      return
    }
    addTarget(to: &route, from: sender, to: owner)
  }

  private mutating func addTarget(
    to route: inout Route, from sender: Station, to receiver: Station
  ) {
    let attachment = receiver.host.configuration.attachments[receiver.place]
    var remote = route.source
    if remote.ip.family == .ipv6, remote.ip.isLinkLocal {
      remote.scope = attachment.interface.index
    }
    let group = route.path.remote.ip
    let hopLimit: UInt8 = group.family == .ipv6 ? 255 : group.isMulticast ? 1 : 64
    let link = placeOfLink(
      from: (sender.host.id.number, sender.host.attachmentNumbers[sender.place]),
      to: (receiver.host.id.number, receiver.host.attachmentNumbers[receiver.place]),
      on: attachment.segment)
    route.targets.append(
      Route.Target(
        host: receiver.host.id.number, link: link,
        arrival: Arrival(
          path: Path(remote: remote, local: group, interface: attachment.interface.index),
          hopLimit: hopLimit)))
  }

  /// The attachment that a path leaves by: the one it names, by index, scope or source address, or
  /// the first whose network the remote address belongs to.
  private func attachment(of host: FabricHost, for path: Path) -> Int? {
    let remote = path.remote
    guard remote.port != 0, !remote.ip.isUnspecified,
      path.interface == 0 || remote.scope == 0 || path.interface == remote.scope
    else { return nil }
    let named = max(path.interface, remote.scope)
    // A link-local destination without its interface is refused, as Linux does.
    if named == 0, remote.ip.family == .ipv6, remote.ip.isLinkLocal { return nil }
    return host.configuration.attachments.firstIndex { attachment in
      guard attachment.interface.isUp else { return false }
      if named != 0 { return attachment.interface.index == named }
      if let local = path.local { return attachment.has(local) }
      return remote.ip.isMulticast
        ? attachment.interface.addresses.contains { $0.ip.family == remote.ip.family }
        : attachment.interface.isOnLink(remote.ip)
    }
  }

  /// The source address: the one that the path names, if it is the interface's own; otherwise one
  /// on the destination's network, or of its scope (RFC 6724, section 5, in its simplest case).
  private func source(for path: Path, on attachment: Attachment) -> IPAddress? {
    let remote = path.remote.ip
    if let local = path.local {
      return attachment.has(local) && local.family == remote.family ? local : nil
    }
    let candidates = attachment.interface.addresses.filter { $0.ip.family == remote.family }
    let best =
      candidates.first { $0.ip.hasSamePrefix(as: remote, length: $0.prefixLength) }
      ?? candidates.first { $0.ip.isLinkLocal == remote.hasLinkScope }
    return (best ?? candidates.first)?.ip
  }
}

extension HostConfiguration.Attachment {
  func has(_ ip: IPAddress) -> Bool { interface.addresses.contains { $0.ip == ip } }
}

extension IPAddress {
  /// Whether the address is link-local, or a group of link-local scope (RFC 4291, section 2.7).
  fileprivate var hasLinkScope: Bool {
    isLinkLocal || family == .ipv6 && isMulticast && high >> 48 & 0xF == 2
  }
}
