import PeerDiscovery
import Primitives
import SocketDriver

/// The sockets of a peer on the local network.
///
/// For each family one socket on the port that all peers share, for what is multicast, and one of
/// its own for all else: what is unicast to a shared port reaches only one of those who share it.
/// Everything is sent from the own socket, so that a peer is where its datagrams come from.
final class LANSockets {
  /// A kernel allows one socket 20 memberships; one more socket a family is opened when needed.
  private var shared: [UDPSocket] = []
  private var own: [UDPSocket] = []
  private var joined: [(membership: Membership, socket: UDPSocket)] = []
  private let port: UInt16

  /// Opens all of them. A family that this host does not have is left out.
  init(port: UInt16, families: Set<IPAddress.Family>) throws(UDPOpenError) {
    self.port = port
    var missing: SystemError?
    for family in IPAddress.Family.allCases where families.contains(family) {
      do throws(SystemError) {
        shared.append(try Self.openShared(family, port: port))
      } catch {
        guard error.isFamilyMissing else { throw UDPOpenError(error, port: port) }
        missing = error
      }
    }
    if shared.isEmpty, let missing { throw .system(missing) }
    own = try Self.openOwn(families: shared.map(\.localAddress.ip.family), behind: port)
  }

  /// All sockets there are, for reading.
  var all: [UDPSocket] { shared + own }

  /// The ports of the own sockets, by family.
  var ownPorts: [(family: IPAddress.Family, port: UInt16)] {
    own.map { (family: $0.localAddress.ip.family, port: $0.localPort) }
  }

  /// Queues a datagram; one of a family that there is no socket for is dropped.
  func append(_ datagram: Span<UInt8>, to path: Path, segmentSize: Int?) {
    own.first { $0.localAddress.ip.family == path.remote.ip.family }?
      .append(datagram, to: path, segmentSize: segmentSize)
  }

  /// Sends what is queued. Returns the sockets that have to be told when they are writable again.
  func flush() -> [(socket: UDPSocket, needsWritable: Bool)] {
    own.map { (socket: $0, needsWritable: $0.flush().needsWritable) }
  }

  /// Joins and leaves groups until the memberships are these. Returns sockets that were opened for
  /// that.
  func setMemberships(_ wanted: [Membership]) -> [UDPSocket] {
    for (membership, socket) in joined where !wanted.contains(membership) {
      // An interface that is gone took its membership along.
      try? socket.leave(
        membership.group, interface: membership.interface, address: membership.local)
    }
    joined.removeAll { !wanted.contains($0.membership) }
    var opened: [UDPSocket] = []
    for membership in wanted where !joined.contains(where: { $0.membership == membership }) {
      if let socket = join(membership, opened: &opened) {
        joined.append((membership: membership, socket: socket))
      }
    }
    return opened
  }

  private func join(_ membership: Membership, opened: inout [UDPSocket]) -> UDPSocket? {
    let family = membership.group.family
    for socket in shared where socket.localAddress.ip.family == family {
      do throws(MembershipError) {
        try socket.join(
          membership.group, interface: membership.interface, address: membership.local)
        return socket
      } catch .limitReached {
        continue
      } catch .alreadyMember {
        return socket
      } catch {
        // The interface may have gone in the meantime; the next change will tell.
        return nil
      }
    }
    guard shared.contains(where: { $0.localAddress.ip.family == family }),
      let socket = try? Self.openShared(family, port: port)
    else { return nil }
    shared.append(socket)
    opened.append(socket)
    try? socket.join(
      membership.group, interface: membership.interface, address: membership.local)
    return socket
  }

  // MARK: Opening

  private static func openShared(
    _ family: IPAddress.Family, port: UInt16
  ) throws(SystemError) -> UDPSocket {
    try UDPSocket(UDPSocketConfiguration(family: family, port: port, isShared: true))
  }

  /// Opens the own sockets on the first of the ports behind the shared one that is free in each
  /// family, so that a firewall can be told; where none is, on ports that the system chooses.
  private static func openOwn(
    families: [IPAddress.Family], behind port: UInt16
  ) throws(UDPOpenError) -> [UDPSocket] {
    for candidate in LANDefaults.unicastPorts(behind: port) + [0] {
      do throws(SystemError) {
        var sockets: [UDPSocket] = []
        for family in families {
          sockets.append(
            try UDPSocket(UDPSocketConfiguration(family: family, port: candidate)))
        }
        return sockets
      } catch {
        guard error.isAddressInUse else { throw .system(error) }
      }
    }
    throw .portTaken(port)
  }
}

extension UDPOpenError {
  fileprivate init(_ error: SystemError, port: UInt16) {
    self = error.isAddressInUse ? .portTaken(port) : .system(error)
  }
}
