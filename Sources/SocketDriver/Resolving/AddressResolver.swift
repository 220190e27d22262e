import CSockets
import Glibc
public import Primitives

/// From the name of a host to its addresses.
public enum AddressResolver {
  /// The most addresses that are taken of one name.
  public static let addressLimit = 16

  /// All addresses of `host` with `port`, in the system's order of preference.
  ///
  /// An address in text form is taken as it stands, `fe80::1%eth0` and `fe80::1%3` with its scope.
  /// A name is looked up, which may block for many seconds: not for a loop's thread.
  public static func resolve(
    host: String, port: UInt16
  ) throws(ResolveError) -> [SocketAddress] {
    let name = host.prefix { $0 != "%" }
    let scope = name.count < host.count ? host.dropFirst(name.count + 1) : nil
    if let ip = IPAddress(name) {
      return [try numeric(ip, scope, port, host)]
    }
    guard scope == nil else { throw .unexpectedScope(host: host) }
    return try lookUp(host, port)
  }

  private static func numeric(
    _ ip: IPAddress, _ scope: Substring?, _ port: UInt16, _ host: String
  ) throws(ResolveError) -> SocketAddress {
    guard let scope else {
      if ip.family == .ipv6, ip.isLinkLocal { throw .missingScope(host: host) }
      return SocketAddress(ip: ip, port: port)
    }
    guard ip.family == .ipv6 else { throw .unexpectedScope(host: host) }
    let index = try interfaceIndex(String(scope))
    // Received datagrams carry a scope with link-local addresses alone; one peer is one address.
    return SocketAddress(ip: ip, port: port, scope: ip.isLinkLocal ? index : 0)
  }

  private static func interfaceIndex(_ scope: String) throws(ResolveError) -> UInt32 {
    let byName = unsafe if_nametoindex(scope)
    if byName != 0 { return byName }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard let index = UInt32(scope), unsafe if_indextoname(index, &name) != nil else {
      throw .noSuchInterface(scope)
    }
    return index
  }

  private static func lookUp(
    _ host: String, _ port: UInt16
  ) throws(ResolveError) -> [SocketAddress] {
    var found = [patter_address](repeating: patter_address(), count: addressLimit)
    var text = [CChar](repeating: 0, count: 128)
    let count = unsafe patter_resolve(host, &found, Int32(found.count), &text, text.count)
    guard count < 0 else {
      let addresses = found[..<Int(count)].compactMap(\.socketAddress)
      if addresses.isEmpty { throw .notFound(host: host) }
      return addresses.map { SocketAddress(ip: $0.ip, port: port, scope: $0.scope) }
    }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let reason = String(decoding: bytes, as: UTF8.self)
    switch Int(count) {
    case PATTER_RESOLVE_NOT_FOUND: throw .notFound(host: host)
    case PATTER_RESOLVE_TEMPORARY: throw .temporary(host: host, reason: reason)
    default: throw .failed(host: host, reason: reason)
    }
  }
}
