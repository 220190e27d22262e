import CSockets
public import Primitives

/// Tells when an interface or one of its addresses has come, gone or changed, without polling.
public final class InterfaceMonitor {
  private let descriptor: Descriptor

  public init() throws(SystemError) {
    descriptor = try Descriptor(patter_interface_monitor_open(), "netlink")
  }

  /// The descriptor, to register it with a loop; readable when there is something to drain.
  public var fileDescriptor: Int32 { descriptor.number }

  /// Takes in what there is to be told. Returns whether something changed; what, the caller finds
  /// by comparing `NetworkInterfaces.current()` with what it knew.
  public func drain() throws(SystemError) -> Bool {
    try SystemError.check(patter_interface_monitor_drain(descriptor.number), "recv") == 1
  }
}
