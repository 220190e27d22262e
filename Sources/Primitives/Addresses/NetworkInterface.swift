/// A network interface as the operating system describes it, as a value.
public struct NetworkInterface: Hashable, Sendable {
  /// An address of the interface and how many of its bits name the network.
  public struct Address: Hashable, Sendable {
    public var ip: IPAddress
    /// The number of leading bits that all hosts on this network share.
    public var prefixLength: Int

    public init(ip: IPAddress, prefixLength: Int) {
      self.ip = ip
      self.prefixLength = prefixLength
    }
  }

  /// The index by which the system knows it; never zero.
  public var index: UInt32
  public var name: String
  public var addresses: [Address]
  /// Whether it is up and has a carrier.
  public var isUp: Bool
  public var isLoopback: Bool
  public var isPointToPoint: Bool
  public var supportsMulticast: Bool

  public init(
    index: UInt32, name: String, addresses: [Address], isUp: Bool = true, isLoopback: Bool = false,
    isPointToPoint: Bool = false, supportsMulticast: Bool = true
  ) {
    self.index = index
    self.name = name
    self.addresses = addresses
    self.isUp = isUp
    self.isLoopback = isLoopback
    self.isPointToPoint = isPointToPoint
    self.supportsMulticast = supportsMulticast
  }

  /// Whether `address` is on the link of this interface, by the test of RFC 6762, section 11: it
  /// shares the network part with one of the interface's own addresses, or is link-local.
  public func isOnLink(_ address: IPAddress) -> Bool {
    if address.family == .ipv6, address.isLinkLocal { return true }
    return addresses.contains { $0.ip.hasSamePrefix(as: address, length: $0.prefixLength) }
  }
}
