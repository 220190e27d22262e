import Primitives

/// An address with the name of the interface it belongs to, for a person to read.
struct InterfaceAddress: Hashable, Sendable {
  var address: SocketAddress
  /// The name of the interface, where it is known.
  var interface: String?

  init(_ address: SocketAddress, interface: String? = nil) {
    self.address = address
    self.interface = interface
  }

  /// The address without its port; a link-local one with its scope, by name where there is one.
  var host: String {
    guard address.ip.family == .ipv6, address.ip.isLinkLocal else { return "\(address.ip)" }
    if let interface { return "\(address.ip)%\(TerminalText.name(interface))" }
    return address.scope == 0 ? "\(address.ip)" : "\(address.ip)%\(address.scope)"
  }

  /// Address and port in the form that `--connect` takes.
  var text: String {
    address.ip.family == .ipv4 ? "\(host):\(address.port)" : "[\(host)]:\(address.port)"
  }
}
