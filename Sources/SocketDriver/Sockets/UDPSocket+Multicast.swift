import CSockets
public import Primitives

extension UDPSocket {
  /// Hears what is sent to `group` on one interface, given by its index. IPv6 is not heard on the
  /// loopback interface (Linux).
  ///
  /// - Parameter address: For IPv4 an address of that interface, which some systems go by.
  public func join(
    _ group: IPAddress, interface: UInt32, address: IPAddress? = nil
  ) throws(MembershipError) {
    try setMembership(true, group, interface, address)
  }

  /// Hears it no more. A membership outlives its interface and counts until it is left.
  public func leave(
    _ group: IPAddress, interface: UInt32, address: IPAddress? = nil
  ) throws(MembershipError) {
    try setMembership(false, group, interface, address)
  }

  private func setMembership(
    _ joining: Bool, _ group: IPAddress, _ interface: UInt32, _ address: IPAddress?
  ) throws(MembershipError) {
    guard group.isMulticast, group.family == configuration.family else { throw .notAGroup }
    var flatGroup = patter_address(group)
    var flatAddress = address.map { patter_address($0) } ?? patter_address()
    let result = unsafe patter_membership(
      fileDescriptor, joining, &flatGroup, interface, &flatAddress)
    guard result < 0 else { return }
    throw MembershipError(SystemError(-result, in: "setsockopt"), joining: joining)
  }
}
