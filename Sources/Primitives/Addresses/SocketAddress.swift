/// An address with a port, and for link-local addresses the interface that gives them meaning.
public struct SocketAddress: Hashable, Sendable {
  public var ip: IPAddress
  public var port: UInt16
  /// The index of the interface a link-local IPv6 address belongs to; zero where there is none.
  public var scope: UInt32

  public init(ip: IPAddress, port: UInt16, scope: UInt32 = 0) {
    self.ip = ip
    self.port = port
    self.scope = scope
  }
}

extension SocketAddress: CustomStringConvertible {
  /// `192.0.2.1:28421`, `[2001:db8::1]:28421` or `[fe80::1%3]:28421`.
  public var description: String {
    guard ip.family == .ipv6 else { return "\(ip):\(port)" }
    return scope == 0 ? "[\(ip)]:\(port)" : "[\(ip)%\(scope)]:\(port)"
  }
}
