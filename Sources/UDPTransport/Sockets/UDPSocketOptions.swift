public import Primitives
import SocketDriver

/// How the sockets of a driver are opened, and how its loop waits for them.
public struct UDPSocketOptions: Hashable, Sendable {
  /// The kernel's buffers, in bytes; 0 leaves the system's. `UDPDriverStatistics.sockets` says what
  /// was granted, and how much was lost where it was too little.
  public var receiveBufferSize = 2 << 20
  public var sendBufferSize = 1 << 20
  /// Whether the kernel may put received datagrams together, and cut what is sent, where it can.
  public var isOffloading = true
  /// How long the loop looks at the sockets again and again, after the last thing that happened,
  /// before it sleeps: spares the 40 microseconds of a wake, and takes a processor. Zero for never.
  public var busyPolling = Interval.zero

  public init() {}

  func configuration(
    family: IPAddress.Family, address: IPAddress? = nil, port: UInt16
  ) -> UDPSocketConfiguration {
    UDPSocketConfiguration(
      family: family, address: address, port: port, receiveBufferSize: receiveBufferSize,
      sendBufferSize: sendBufferSize, isCoalescing: isOffloading, isSegmenting: isOffloading)
  }
}
