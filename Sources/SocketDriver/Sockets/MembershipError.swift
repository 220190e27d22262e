import Glibc
public import Primitives

/// Why a group could not be joined or left.
public enum MembershipError: Error, Hashable, Sendable {
  /// This socket has as many memberships as the system allows one socket, 20 by default for IPv4
  /// (`net.ipv4.igmp_max_memberships`); another socket may have as many again.
  case limitReached
  /// The group was joined on this interface already.
  case alreadyMember
  /// The group was not joined on this interface.
  case notMember
  /// There is no such interface, or it is down.
  case noSuchInterface
  /// The address is not a group of the socket's family.
  case notAGroup
  /// Anything else.
  case failed(SystemError)

  init(_ error: SystemError, joining: Bool) {
    switch error.code {
    case ENOBUFS, ENOMEM: self = .limitReached
    case EADDRINUSE: self = .alreadyMember
    case EADDRNOTAVAIL where !joining: self = .notMember
    case ENODEV, ENXIO: self = .noSuchInterface
    case EINVAL: self = .notAGroup
    default: self = .failed(error)
    }
  }
}

extension MembershipError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .limitReached: "the socket has as many group memberships as the system allows"
    case .alreadyMember: "the group has been joined on this interface already"
    case .notMember: "the group was not joined on this interface"
    case .noSuchInterface: "there is no such interface"
    case .notAGroup: "the address is not a group of this family"
    case .failed(let error): error.description
    }
  }
}
