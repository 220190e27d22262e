public import Primitives

/// Where a host of a ``VirtualNetwork`` is attached, and what its sockets hear.
public struct HostConfiguration: Hashable, Sendable {
  /// An interface with the segment it is plugged into.
  public struct Attachment: Hashable, Sendable {
    public var interface: NetworkInterface
    /// The broadcast domain: hosts reach each other, by unicast and multicast, on the same one.
    /// There are no routers between segments.
    public var segment: Int

    public init(interface: NetworkInterface, segment: Int) {
      self.interface = interface
      self.segment = segment
    }
  }

  public var attachments: [Attachment]

  /// The one port the host sends from. It hears unicast to this port.
  public var port: UInt16

  /// The groups it has joined, each with the port it listens on, on all of its interfaces. It
  /// hears unicast to such a port as well, as a socket bound to it would.
  public var groups: [SocketAddress]

  /// The port of hosts that do not ask for another.
  public static let defaultPort: UInt16 = 28_422

  public init(attachments: [Attachment], port: UInt16 = defaultPort, groups: [SocketAddress] = []) {
    self.attachments = attachments
    self.port = port
    self.groups = groups
  }

  /// A host with one interface on each of `segments`, and addresses that follow from its number.
  ///
  /// On segment S, host N has 10.S.x.y/16, where x and y are the two octets of N, and fe80::S:N.
  /// Its interfaces have the indices 10·N + 1, 10·N + 2 and so on, so that an index of one host
  /// means nothing on another.
  ///
  /// - Parameters:
  ///   - number: from 1 to 65,534.
  ///   - segments: each from 0 to 255, at most nine.
  ///   - families: which of the two addresses each interface has.
  public static func numbered(
    _ number: Int, on segments: [Int] = [0],
    families: [IPAddress.Family] = IPAddress.Family.allCases, port: UInt16 = defaultPort,
    groups: [SocketAddress] = []
  ) -> HostConfiguration {
    precondition((1...65_534).contains(number), "host \(number) has no address in a /16")
    precondition(segments.count <= 9, "indices of interfaces would collide")
    let attachments = segments.enumerated().map { position, segment in
      Attachment(
        interface: NetworkInterface(
          index: UInt32(10 * number + position + 1), name: "eth\(position)",
          addresses: families.map { address(of: number, on: segment, $0) }),
        segment: segment)
    }
    return HostConfiguration(attachments: attachments, port: port, groups: groups)
  }

  /// The interfaces as the host's machine may be told them.
  public var interfaces: [NetworkInterface] { attachments.map(\.interface) }

  /// Where this host hears unicast: its first address of `family` on `segment`, and its port. The
  /// scope of a link-local address is left for the one who sends there to fill in, who knows which
  /// of his interfaces leads there.
  public func address(_ family: IPAddress.Family = .ipv4, on segment: Int = 0) -> SocketAddress {
    for attachment in attachments where attachment.segment == segment {
      for address in attachment.interface.addresses where address.ip.family == family {
        return SocketAddress(ip: address.ip, port: port)
      }
    }
    preconditionFailure("the host has no address of \(family) on segment \(segment)")
  }

  private static func address(
    of number: Int, on segment: Int, _ family: IPAddress.Family
  ) -> NetworkInterface.Address {
    precondition((0...255).contains(segment), "segment \(segment) has no addresses")
    switch family {
    case .ipv4:
      let ip = IPAddress(10, UInt8(segment), UInt8(number >> 8), UInt8(number & 0xFF))
      return NetworkInterface.Address(ip: ip, prefixLength: 16)
    case .ipv6:
      let ip = IPAddress(ipv6High: 0xFE80 << 48, low: UInt64(segment) << 16 | UInt64(number))
      return NetworkInterface.Address(ip: ip, prefixLength: 64)
    }
  }
}
