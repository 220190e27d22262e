import PeerDiscovery
import Primitives
import SocketDriver

/// The sockets of a peer on the local network.
///
/// For each family one socket on the port that all peers share, for what is multicast, and one of
/// its own for all else: what is unicast to a shared port reaches only one of those who share it.
/// Everything is sent from the own socket, so that a peer is where its datagrams come from.
final class LANSockets: SocketSet {
  var memberships: GroupMemberships

  /// Opens all of them. A family that this host does not have is left out.
  init(
    port: UInt16, families: Set<IPAddress.Family>, options: UDPSocketOptions = UDPSocketOptions()
  ) throws(UDPOpenError) {
    var shared: [UDPSocket] = []
    var missing: SystemError?
    for family in IPAddress.Family.allCases where families.contains(family) {
      do throws(SystemError) {
        shared.append(try GroupMemberships.openShared(family, port: port))
      } catch {
        guard error.isFamilyMissing else { throw UDPOpenError(error, port: port) }
        missing = error
      }
    }
    if shared.isEmpty, let missing { throw .system(missing) }
    memberships = GroupMemberships(sockets: shared, port: port)
    let own: [UDPSocket]
    do throws(SystemError) {
      own = try Self.openOwn(
        families: shared.map(\.localAddress.ip.family), behind: port, options)
    } catch { throw .system(error) }
    super.init(sending: own)
  }

  override var all: [UDPSocket] { memberships.sockets + own }

  /// The ports of the own sockets, by family.
  var ownPorts: [(family: IPAddress.Family, port: UInt16)] {
    own.map { (family: $0.localAddress.ip.family, port: $0.localPort) }
  }

  override func remove(_ socket: UDPSocket) {
    super.remove(socket)
    memberships.remove(socket)
  }

  // MARK: Opening

  /// Opens the own sockets on the first of the ports behind the shared one that is free in each
  /// family, so that a firewall can be told; where none is, on a port that the system chooses.
  private static func openOwn(
    families: [IPAddress.Family], behind port: UInt16, _ options: UDPSocketOptions
  ) throws(SystemError) -> [UDPSocket] {
    for candidate in LANDefaults.unicastPorts(behind: port) {
      if let sockets = try openOwn(families, on: candidate, options) { return sockets }
    }
    for _ in 0..<commonPortTries {
      guard let family = families.first else { break }
      let first = try openOwn(family, on: 0, options)
      if let others = try openOwn(
        Array(families.dropFirst()), on: first.localPort, options)
      {
        return [first] + others
      }
    }
    // Different ports then: what finds us by beacon does not mind.
    var sockets: [UDPSocket] = []
    for family in families { sockets.append(try openOwn(family, on: 0, options)) }
    return sockets
  }

  /// How many ports of the system's choice in one family are tried in the other as well. It hands
  /// them out at random, and hardly any is taken.
  private static let commonPortTries = 8

  /// Opens the own sockets on one port; `nil` where it is taken in one of the families.
  private static func openOwn(
    _ families: [IPAddress.Family], on port: UInt16, _ options: UDPSocketOptions
  ) throws(SystemError) -> [UDPSocket]? {
    var sockets: [UDPSocket] = []
    for family in families {
      do throws(SystemError) {
        sockets.append(try openOwn(family, on: port, options))
      } catch {
        guard error.isAddressInUse else { throw error }
        return nil
      }
    }
    return sockets
  }

  private static func openOwn(
    _ family: IPAddress.Family, on port: UInt16, _ options: UDPSocketOptions
  ) throws(SystemError) -> UDPSocket {
    try UDPSocket(options.configuration(family: family, port: port))
  }
}

extension UDPOpenError {
  init(_ error: SystemError, port: UInt16) {
    self = error.isAddressInUse ? .portTaken(port) : .system(error)
  }
}
