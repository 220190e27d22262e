import CSockets
import Primitives

extension patter_address {
  init(_ address: SocketAddress) {
    self.init(address.ip, port: address.port, scope: address.scope)
  }

  init(_ ip: IPAddress, port: UInt16 = 0, scope: UInt32 = 0) {
    self.init(
      family: ip.family.rawValue, port: port, scope: scope, high: ip.high, low: ip.low)
  }

  /// The address without its port, or `nil` where there is none.
  var ip: IPAddress? {
    switch family {
    case 4: IPAddress(ipv4: UInt32(truncatingIfNeeded: low))
    case 6: IPAddress(ipv6High: high, low: low)
    default: nil
    }
  }

  var socketAddress: SocketAddress? {
    ip.map { SocketAddress(ip: $0, port: port, scope: scope) }
  }
}

extension IPAddress {
  /// What a socket binds to that is to hear on all addresses of its family.
  static func any(_ family: Family) -> IPAddress {
    family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6High: 0, low: 0)
  }
}
