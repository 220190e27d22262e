public import Primitives

/// Why there can be no wire here. Each is one line that says what is wrong and what to do.
public enum WireError: Error, Hashable, Sendable {
  /// The system lets this user make no networks of his own.
  case noNamespaces(SystemError)
  /// The device that makes TUN interfaces cannot be used.
  case noTunnels(SystemError)
  /// Anything else the system said.
  case system(SystemError)
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noNamespaces(let error):
      "no network namespaces here (\(error)); run it as root, or let users have namespaces"
    case .noTunnels(let error):
      "/dev/net/tun cannot be used (\(error)); run it as root, or give users the device"
    case .system(let error): "the wire cannot be made: \(error)"
    }
  }
}
