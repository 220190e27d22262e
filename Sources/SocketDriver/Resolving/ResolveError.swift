/// Why a host has no address to send to.
public enum ResolveError: Error, Hashable, Sendable {
  /// No such name, or it has no addresses.
  case notFound(host: String)
  /// The name service did not answer; another try may succeed.
  case temporary(host: String, reason: String)
  /// The look-up failed otherwise.
  case failed(host: String, reason: String)
  /// A link-local IPv6 address means nothing without its interface, as in `fe80::1%eth0`.
  case missingScope(host: String)
  /// There is no interface of this name or number.
  case noSuchInterface(String)
  /// A scope stands behind something that is no IPv6 address.
  case unexpectedScope(host: String)
}

extension ResolveError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notFound(let host): "host '\(host)' was not found"
    case .temporary(let host, let reason), .failed(let host, let reason):
      "host '\(host)' could not be looked up: \(reason)"
    case .missingScope(let host):
      "the link-local address '\(host)' needs its interface: '\(host)%INTERFACE'"
    case .noSuchInterface(let name): "there is no interface '\(name)'"
    case .unexpectedScope(let host): "only an IPv6 address has an interface behind '%': '\(host)'"
    }
  }
}
