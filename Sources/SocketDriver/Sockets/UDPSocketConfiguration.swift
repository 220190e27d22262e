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
  /// The kernel's buffers, in bytes; 0 leaves its default. It doubles them for its own bookkeeping,
  /// and cuts them at its limits (`net.core.rmem_max`, `wmem_max`) unless the program is
  /// privileged; `UDPSocketStatistics` says what was granted.
  public var receiveBufferSize: Int
  public var sendBufferSize: Int
  /// The largest datagram that is received, in bytes; a larger one is dropped and counted.
  public var largestDatagram: Int
  /// Whether the kernel may hand over several datagrams of one size as one, where it can (UDP_GRO),
  /// and cut what is sent (UDP_SEGMENT). Either costs nothing where single datagrams go.
  public var isCoalescing: Bool
  public var isSegmenting: Bool
  /// How many batches of 32 datagrams, or runs of them, one call of `receive` takes, so that a
  /// flood at one socket does not starve the others.
  public var batchesPerReceive: Int
  /// How many datagrams wait while the kernel's buffer is full, and how many bytes. `write` takes
  /// no more then; what is appended on top is dropped and counted.
  public var maximumQueuedDatagrams: Int
  public var maximumQueuedBytes: Int

  public init(
    family: IPAddress.Family, address: IPAddress? = nil, port: UInt16 = 0, isShared: Bool = false,
    receiveBufferSize: Int = 2 << 20, sendBufferSize: Int = 1 << 20,
    largestDatagram: Int = 65_535, isCoalescing: Bool = true, isSegmenting: Bool = true,
    batchesPerReceive: Int = 4, maximumQueuedDatagrams: Int = 1_024,
    maximumQueuedBytes: Int = 2 << 20
  ) {
    precondition(address == nil || address?.family == family, "the address is of another family")
    precondition((1_280...65_535).contains(largestDatagram), "1,280 to 65,535 bytes")
    precondition(batchesPerReceive > 0 && maximumQueuedDatagrams > 0, "a bound of zero")
    self.family = family
    self.address = address
    self.port = port
    self.isShared = isShared
    self.receiveBufferSize = receiveBufferSize
    self.sendBufferSize = sendBufferSize
    self.largestDatagram = largestDatagram
    self.isCoalescing = isCoalescing
    self.isSegmenting = isSegmenting
    self.batchesPerReceive = batchesPerReceive
    self.maximumQueuedDatagrams = maximumQueuedDatagrams
    self.maximumQueuedBytes = maximumQueuedBytes
  }
}
