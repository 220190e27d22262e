public import Primitives

/// Where peers on a local network meet unless they are told otherwise. Both ends have to agree on
/// these; none of them is negotiated.
public enum LANDefaults {
  /// The shared port that beacons are sent to: 28420.
  ///
  /// It lies in 28241–28588, which IANA lists as unassigned, and below 32768, where Linux begins
  /// to hand out ephemeral ports: no other program is given it by chance.
  public static let port: UInt16 = 28_420

  /// How many ports behind the shared one are tried for the unicast socket before an ephemeral
  /// one: 16. More processes than that on one host are rare, and a firewall rule can name them.
  public static let unicastPortCount: UInt16 = 16

  /// The ports to try for the unicast socket, in order: PORT+1 to PORT+16, as far as they exist.
  ///
  /// Unicast to a shared port is split between the processes that share it (SO_REUSEPORT) or goes
  /// to the last of them (SO_REUSEADDR), so each process needs one of its own.
  public static func unicastPorts(behind port: UInt16 = port) -> [UInt16] {
    (1...unicastPortCount).compactMap { offset in
      let (sum, overflow) = port.addingReportingOverflow(offset)
      return overflow ? nil : sum
    }
  }

  /// The IPv4 group: 239.255.80.84, in the local scope (RFC 2365, section 6.1), which needs no
  /// registration and which routers at the edge of a site do not forward. 80.84 is ASCII `PT`.
  ///
  /// 224.0.0.0/24 would survive switches that snoop without a querier, but it is reserved for
  /// protocols (RFC 5771, section 4).
  public static let ipv4Group = IPAddress(239, 255, 80, 84)

  /// The IPv6 group: ff12::5054, transient and of link-local scope (RFC 4291, section 2.7), which
  /// no router forwards. 5054 is ASCII `PT`.
  public static let ipv6Group = IPAddress(ipv6High: 0xFF12_0000_0000_0000, low: 0x5054)

  /// The room of those who name none.
  public static let room = "lan"
}
