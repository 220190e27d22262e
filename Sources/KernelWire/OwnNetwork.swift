import CSockets
import Glibc
import Host
import Primitives

/// A network namespace with a TUN device, of which this process holds the other end.
final class OwnNetwork {
  /// Carries the packets of the device.
  let tunnel: Int32
  /// Names the namespace.
  let namespace: Int32

  private static let device = "tun0"
  private static let mtu: Int32 = 1_500

  /// Leaves the network of the calling thread for a new one.
  init(address: UInt32) throws(WireError) {
    var result = patter_leave_network()
    if result == -EPERM {
      try Self.becomeMaster()
      result = patter_leave_network()
    }
    guard result == 0 else { throw .noNamespaces(SystemError(of: result, in: "unshare")) }
    let tunnel = unsafe patter_tunnel_open(Self.device, address, 24, Self.mtu)
    guard tunnel >= 0 else { throw .noTunnels(SystemError(of: tunnel, in: "open")) }
    let namespace = patter_own_network()
    guard namespace >= 0 else {
      close(tunnel)
      throw .system(SystemError(of: namespace, in: "open"))
    }
    self.tunnel = tunnel
    self.namespace = namespace
    Self.prepare()
  }

  deinit {
    close(tunnel)
    close(namespace)
  }

  /// Goes to a user namespace of its own, in which this process may make networks.
  private static func becomeMaster() throws(WireError) {
    let (user, group) = (getuid(), getgid())
    let result = patter_leave_user_namespace()
    guard result == 0 else { throw .noNamespaces(SystemError(of: result, in: "unshare")) }
    do throws(SystemError) {
      try TextFile.write("deny", to: "/proc/self/setgroups")
      try TextFile.write("0 \(user) 1", to: "/proc/self/uid_map")
      try TextFile.write("0 \(group) 1", to: "/proc/self/gid_map")
    } catch { throw .noNamespaces(error) }
  }

  /// Settings that make runs comparable; where one cannot be made the run is still a run.
  private static func prepare() {
    // One connection must not start with what the one before has learnt.
    try? TextFile.write("1", to: "/proc/sys/net/ipv4/tcp_no_metrics_save")
    try? TextFile.write("1", to: "/proc/sys/net/ipv6/conf/all/disable_ipv6")
  }

  /// How many packets the device dropped because its queue was full.
  func queueDrops() -> Int {
    guard patter_enter_network(namespace) == 0 else { return 0 }
    let rows = (TextFile.read("/proc/thread-self/net/dev") ?? "").split(separator: "\n")
    let row = rows.first { $0.drop { $0 == " " }.hasPrefix("\(Self.device):") }
    let fields = row?.split(separator: ":").last?.split(separator: " ") ?? []
    // Eight columns of what was received, then bytes, packets, errors and drops of what was sent.
    return fields.count > 11 ? Int(fields[11]) ?? 0 : 0
  }
}

extension SystemError {
  /// The error of a call of the C shim, which returned a negative errno.
  init(of result: Int32, in call: String) {
    var text = [CChar](repeating: 0, count: 128)
    unsafe patter_error_text(-result, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(code: -result, call: call, reason: String(decoding: bytes, as: UTF8.self))
  }
}
