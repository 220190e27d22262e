import Primitives

extension Link {
  /// Why a datagram from `source` that came by this interface is not to be believed; `nil` where
  /// it may have been sent on this link. `isOwn` says whether an address is one of this host's.
  func refusal(
    of source: SocketAddress, hopLimit: UInt8?, isOwn: (IPAddress) -> Bool
  ) -> DiscoveryStatistics.DropReason? {
    guard outlets.contains(where: { $0.address.ip.family == source.ip.family }) else {
      return .unusedInterface
    }
    if source.port == 0 || source.ip.isUnspecified || source.ip.isMulticast
      || isBroadcast(source.ip)
    {
      return .invalidSource
    }
    // RFC 5082, section 3: a hop limit of 255 cannot have passed a router. For IPv4 the address
    // has to do, because a TTL of 1 is what keeps the datagram on the link.
    if source.ip.family == .ipv6, let hopLimit, hopLimit != 255 { return .forwarded }
    if interface.isOnLink(source.ip) { return nil }
    // Between two processes on one host the system may use the loopback interface with the
    // address of another.
    return interface.isLoopback && isOwn(source.ip) ? nil : .offLink
  }

  /// Whether `address` names all hosts, or the network itself, of an IPv4 network here: an answer
  /// to it would reach everybody.
  private func isBroadcast(_ address: IPAddress) -> Bool {
    guard address.family == .ipv4 else { return false }
    if address.low == 0xFFFF_FFFF { return true }
    return interface.addresses.contains { own in
      // RFC 3021: a prefix of 31 bits has two hosts and no broadcast address.
      guard own.ip.hasSamePrefix(as: address, length: own.prefixLength),
        (0...30).contains(own.prefixLength)
      else { return false }
      let hostMask = UInt64(0xFFFF_FFFF) >> UInt64(own.prefixLength)
      return address.low & hostMask == hostMask || address.low & hostMask == 0
    }
  }
}
