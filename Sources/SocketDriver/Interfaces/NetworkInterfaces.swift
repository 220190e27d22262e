import CSockets
public import Primitives

/// The network interfaces of this host.
public enum NetworkInterfaces {
  /// All of them as they are now, by index, each with all its addresses.
  public static func current() throws(SystemError) -> [NetworkInterface] {
    var entries = [patter_interface](repeating: patter_interface(), count: 64)
    while true {
      let count = try SystemError.check(
        unsafe patter_interfaces(&entries, Int32(entries.count)), "getifaddrs")
      if Int(count) <= entries.count { return interfaces(entries[..<Int(count)]) }
      entries = [patter_interface](repeating: patter_interface(), count: Int(count) * 2)
    }
  }

  private static func interfaces(_ entries: ArraySlice<patter_interface>) -> [NetworkInterface] {
    var result: [NetworkInterface] = []
    for entry in entries.sorted(by: { $0.index < $1.index }) {
      if result.last?.index != entry.index { result.append(NetworkInterface(entry)) }
      guard let ip = entry.address.ip else { continue }
      result[result.count - 1].addresses.append(
        NetworkInterface.Address(ip: ip, prefixLength: Int(entry.prefix_length)))
    }
    return result
  }
}

extension NetworkInterface {
  fileprivate init(_ entry: patter_interface) {
    func has(_ flag: Int) -> Bool { Int(entry.flags) & flag != 0 }
    let name = unsafe withUnsafeBytes(of: entry.name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      index: entry.index, name: name, addresses: [], isUp: has(PATTER_INTERFACE_UP),
      isLoopback: has(PATTER_INTERFACE_LOOPBACK),
      isPointToPoint: has(PATTER_INTERFACE_POINT_TO_POINT),
      supportsMulticast: has(PATTER_INTERFACE_MULTICAST))
  }
}
