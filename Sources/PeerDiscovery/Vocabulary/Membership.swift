public import Primitives

/// A group that the receive socket of its family has to have joined on an interface.
public struct Membership: Hashable, Sendable {
  public var group: IPAddress
  /// The index of the interface.
  public var interface: UInt32
  /// Our address there. On `lo`, IPv4 wants it beside the index.
  public var local: IPAddress

  public init(group: IPAddress, interface: UInt32, local: IPAddress) {
    self.group = group
    self.interface = interface
    self.local = local
  }
}
