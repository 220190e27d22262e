import PeerDiscovery
import Primitives
import SocketDriver

/// The sockets on the shared port, and the groups that they have joined.
///
/// One a family to begin with. A kernel allows one socket 20 memberships; one more socket is opened
/// when that is not enough.
struct GroupMemberships {
  private(set) var sockets: [UDPSocket]
  /// Groups that could not be joined, by reason.
  private(set) var errors: [MembershipError: UInt64] = [:]

  private var joined: [(membership: Membership, socket: UDPSocket)] = []
  private let port: UInt16

  /// - Parameter sockets: one for each family that groups will be joined in.
  init(sockets: [UDPSocket], port: UInt16) {
    self.sockets = sockets
    self.port = port
  }

  static func openShared(
    _ family: IPAddress.Family, port: UInt16
  ) throws(SystemError) -> UDPSocket {
    // Beacons are few and small.
    try UDPSocket(
      UDPSocketConfiguration(
        family: family, port: port, isShared: true, receiveBufferSize: 1 << 18,
        largestDatagram: 2_048, isCoalescing: false))
  }

  /// Joins and leaves groups until the memberships are these, as far as that is possible. Returns
  /// sockets that were opened for that.
  mutating func set(_ wanted: [Membership]) -> [UDPSocket] {
    for (membership, socket) in joined where !wanted.contains(membership) {
      // An interface that is gone may have taken its membership along; then there is none to leave.
      try? socket.leave(
        membership.group, interface: membership.interface, address: membership.local)
    }
    joined.removeAll { !wanted.contains($0.membership) }
    var opened: [UDPSocket] = []
    for membership in wanted where !joined.contains(where: { $0.membership == membership }) {
      join(membership, opened: &opened)
    }
    return opened
  }

  /// Lets a socket go, and its memberships with it.
  mutating func remove(_ socket: UDPSocket) {
    sockets.removeAll { $0 === socket }
    joined.removeAll { $0.socket === socket }
  }

  private mutating func join(_ membership: Membership, opened: inout [UDPSocket]) {
    let candidates = sockets.filter { $0.localAddress.ip.family == membership.group.family }
    // A family that is missing here is nothing to be counted.
    guard !candidates.isEmpty else { return }
    for socket in candidates {
      switch attempt(membership, on: socket) {
      case nil: return joined.append((membership: membership, socket: socket))
      case .limitReached: continue
      // The interface may have gone in the meantime: its next change is another occasion.
      case let error?: return count(error)
      }
    }
    guard let socket = try? Self.openShared(membership.group.family, port: port),
      attempt(membership, on: socket) == nil
    else { return count(.limitReached) }
    sockets.append(socket)
    opened.append(socket)
    joined.append((membership: membership, socket: socket))
  }

  private mutating func count(_ error: MembershipError) {
    errors[error, default: 0] &+= 1
  }

  /// Why a group could not be joined; `nil` where it is joined now.
  private func attempt(_ membership: Membership, on socket: UDPSocket) -> MembershipError? {
    do throws(MembershipError) {
      try socket.join(
        membership.group, interface: membership.interface, address: membership.local)
      return nil
    } catch .alreadyMember {
      return nil
    } catch {
      return error
    }
  }
}
