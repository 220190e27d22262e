public import Primitives

/// How a UDP socket is opened, and its bounds.
public struct UDPSocketConfiguration: Hashable, Sendable {
  /// The family; an IPv6 socket carries IPv6 alone.
  public var family: IPAddress.Family
  /// The address to hear on; `nil` for all of them, which multicast needs.
  public var address: IPAddress?
  /// The port; 0 lets the system choose.
  public var port: UInt16
  /// Whether others may bind the same port. All of them hear what is multicast to it; what is
  /// unicast to it reaches only one of them.
  public var isShared: Bool
  /// The kernel's buffers, in bytes; 0 leaves its default. It doubles them for its own bookkeeping
  /// and cuts them at its limits (`net.core.rmem_max`, `wmem_max`) in silence.
  public var receiveBufferSize: Int
  public var sendBufferSize: Int
  /// How many batches of 64 datagrams one call of `receive` takes, so that a flood at one socket
  /// does not starve the others.
  public var batchesPerReceive: Int
  /// How many datagrams wait while the kernel's buffer is full, and how many bytes; what comes on
  /// top is dropped and counted.
  public var maximumQueuedDatagrams: Int
  public var maximumQueuedBytes: Int

  public init(
    family: IPAddress.Family, address: IPAddress? = nil, port: UInt16 = 0, isShared: Bool = false,
    receiveBufferSize: Int = 1 << 20, sendBufferSize: Int = 1 << 20, batchesPerReceive: Int = 4,
    maximumQueuedDatagrams: Int = 1_024, maximumQueuedBytes: Int = 2 << 20
  ) {
    precondition(address == nil || address?.family == family, "the address is of another family")
    precondition(batchesPerReceive > 0 && maximumQueuedDatagrams > 0, "a bound of zero")
    self.family = family
    self.address = address
    self.port = port
    self.isShared = isShared
    self.receiveBufferSize = receiveBufferSize
    self.sendBufferSize = sendBufferSize
    self.batchesPerReceive = batchesPerReceive
    self.maximumQueuedDatagrams = maximumQueuedDatagrams
    self.maximumQueuedBytes = maximumQueuedBytes
  }
}
