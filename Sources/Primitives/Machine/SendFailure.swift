/// Why a datagram could not be sent, as far as it concerns a protocol.
public enum SendFailure: Hashable, Sendable {
  /// It is larger than the interface takes (EMSGSIZE).
  case tooLarge
  /// There is no way there, for now or at all: no route, no such address or interface.
  case unreachable
  /// It may not be sent there, by the system's rules or an administrator's.
  case forbidden
  /// Anything else the system said.
  case other
}
