import ChatTransport
import PeerDiscovery
import Primitives
import UDPTransport

extension UDPDriver where Application: ~Copyable {
  /// Where we can be reached: each address of each interface in use, with our own port.
  var reachableAddresses: [InterfaceAddress] {
    let memberships = peer.discovery.memberships
    let used = interfaces.filter { interface in
      memberships.isEmpty
        ? interface.isUp : memberships.contains { $0.interface == interface.index }
    }
    return used.flatMap { interface in
      interface.addresses.compactMap { address in
        ports.first { $0.family == address.ip.family }.map { own in
          interfaceAddress(
            SocketAddress(
              ip: address.ip, port: own.port,
              scope: address.ip.family == .ipv6 && address.ip.isLinkLocal ? interface.index : 0),
            on: interface.index)
        }
      }
    }
  }

  /// The groups in which we meet others.
  var groups: [IPAddress] {
    var groups: [IPAddress] = []
    for membership in peer.discovery.memberships where !groups.contains(membership.group) {
      groups.append(membership.group)
    }
    return groups
  }

  func interfaceAddress(_ address: SocketAddress, on index: UInt32) -> InterfaceAddress {
    InterfaceAddress(
      address, interface: interfaces.first { $0.index == index }?.name ?? "\(index)")
  }
}
