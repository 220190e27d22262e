import PeerDiscovery
import Primitives
import SocketDriver

/// The sockets of a peer on the local network.
///
/// For each family one socket on the port that all peers share, for what is multicast, and one of
/// its own for all else: what is unicast to a shared port reaches only one of those who share it.
/// Everything is sent from the own socket, so that a peer is where its datagrams come from.
final class LANSockets {
  /// Datagrams that were not sent because there is no socket of their family.
  private(set) var unsendable: UInt64 = 0

  var memberships: GroupMemberships
  private var own: [UDPSocket]
  /// What those did that are closed.
  private var closed = UDPSocketStatistics()

  /// Opens all of them. A family that this host does not have is left out.
  init(port: UInt16, families: Set<IPAddress.Family>) throws(UDPOpenError) {
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
    do throws(SystemError) {
      own = try Self.openOwn(families: shared.map(\.localAddress.ip.family), behind: port)
    } catch { throw .system(error) }
  }

  /// All sockets there are, for reading.
  var all: [UDPSocket] { memberships.sockets + own }

  /// The ports of the own sockets, by family.
  var ownPorts: [(family: IPAddress.Family, port: UInt16)] {
    own.map { (family: $0.localAddress.ip.family, port: $0.localPort) }
  }

  /// Queues a datagram; one of a family that there is no socket for is dropped.
  func append(_ datagram: Span<UInt8>, to path: Path, segmentSize: Int? = nil) {
    guard let socket = own.first(where: { $0.localAddress.ip.family == path.remote.ip.family })
    else {
      unsendable &+= 1
      return
    }
    socket.append(datagram, to: path, segmentSize: segmentSize)
  }

  /// Sends what is queued. Returns for each socket whether it has to be told when it is writable
  /// again.
  func flush() -> [(socket: UDPSocket, needsWritable: Bool)] {
    own.map { (socket: $0, needsWritable: $0.flush().needsWritable) }
  }

  /// Lets a socket go that is of no more use; it is closed when nobody else holds it.
  func remove(_ socket: UDPSocket) {
    closed += socket.statistics
    own.removeAll { $0 === socket }
    memberships.remove(socket)
  }

  /// What all of them have done.
  var statistics: UDPSocketStatistics {
    all.reduce(into: closed) { $0 += $1.statistics }
  }

  // MARK: Opening

  /// Opens the own sockets on the first of the ports behind the shared one that is free in each
  /// family, so that a firewall can be told; where none is, on a port that the system chooses.
  private static func openOwn(
    families: [IPAddress.Family], behind port: UInt16
  ) throws(SystemError) -> [UDPSocket] {
    for candidate in LANDefaults.unicastPorts(behind: port) {
      if let sockets = try openOwn(families, on: candidate) { return sockets }
    }
    for _ in 0..<commonPortTries {
      guard let family = families.first else { break }
      let first = try openOwn(family, on: 0)
      if let others = try openOwn(Array(families.dropFirst()), on: first.localPort) {
        return [first] + others
      }
    }
    // Different ports then: what finds us by beacon does not mind.
    var sockets: [UDPSocket] = []
    for family in families { sockets.append(try openOwn(family, on: 0)) }
    return sockets
  }

  /// How many ports of the system's choice in one family are tried in the other as well. It hands
  /// them out at random, and hardly any is taken.
  private static let commonPortTries = 8

  /// Opens the own sockets on one port; `nil` where it is taken in one of the families.
  private static func openOwn(
    _ families: [IPAddress.Family], on port: UInt16
  ) throws(SystemError) -> [UDPSocket]? {
    var sockets: [UDPSocket] = []
    for family in families {
      do throws(SystemError) {
        sockets.append(try openOwn(family, on: port))
      } catch {
        guard error.isAddressInUse else { throw error }
        return nil
      }
    }
    return sockets
  }

  private static func openOwn(
    _ family: IPAddress.Family, on port: UInt16
  ) throws(SystemError) -> UDPSocket {
    try UDPSocket(UDPSocketConfiguration(family: family, port: port))
  }
}

extension UDPOpenError {
  fileprivate init(_ error: SystemError, port: UInt16) {
    self = error.isAddressInUse ? .portTaken(port) : .system(error)
  }
}
