import CSockets
public import Primitives

/// A UDP socket of one family that never blocks. It tells where each datagram was sent to, by which
/// interface and with which hop limit it came, and sends from a given address and interface.
///
/// One error touches one datagram: it is counted by its errno, the sender hears of it, and the
/// socket and its other datagrams go on. It belongs to one thread at a time, and is closed when the
/// last reference to it is gone; unregister it from its loop before.
public final class UDPSocket {
  /// The address and port it is bound to.
  public let localAddress: SocketAddress
  /// The port it is bound to.
  public var localPort: UInt16 { localAddress.port }

  public internal(set) var statistics = UDPSocketStatistics()

  let configuration: UDPSocketConfiguration
  let received: ReceiveBatch
  var isReceiving = false
  /// How many places the next system call may fill.
  var receiveLimit = UDPSocket.placeCount
  var queue: SendQueue
  /// How a batch goes to the kernel: tests put themselves in its place.
  var sendBatch: (SendBatch, Int) -> Int
  /// What has become of datagrams since the last result was given out.
  var pendingResult = FlushResult()
  /// How many lost datagrams the kernel had counted when it last told.
  var lostWhenLastTold: UInt32 = 0
  private let descriptor: Descriptor

  /// Opens and binds. EADDRINUSE says that the port is taken, EAFNOSUPPORT that this host has no
  /// such family.
  public init(_ configuration: UDPSocketConfiguration) throws(SystemError) {
    let descriptor = try Descriptor(
      patter_udp_open(
        configuration.family.rawValue, configuration.isShared,
        Int32(clamping: configuration.receiveBufferSize),
        Int32(clamping: configuration.sendBufferSize)),
      "socket")
    var address = patter_address(
      configuration.address ?? .any(configuration.family), port: configuration.port)
    _ = try SystemError.check(unsafe patter_bind(descriptor.number, &address), "bind")
    _ = try SystemError.check(
      unsafe patter_bound_address(descriptor.number, &address), "getsockname")
    guard let bound = address.socketAddress else {
      preconditionFailure("a UDP socket is bound to an address of no family")
    }
    localAddress = bound
    let canSegment = configuration.isSegmenting && patter_can_segment(descriptor.number)
    let coalesces = configuration.isCoalescing && patter_coalesce(descriptor.number)
    received = ReceiveBatch(
      count: Self.placeCount,
      capacity: coalesces ? 1 << 16 : configuration.largestDatagram)
    statistics.receiveBufferSize = Int(patter_receive_buffer(descriptor.number))
    statistics.sendBufferSize = Int(patter_send_buffer(descriptor.number))
    statistics.isCoalescing = coalesces
    let number = descriptor.number
    sendBatch = { batch, count in batch.send(count, by: number) }
    self.descriptor = descriptor
    self.configuration = configuration
    queue = SendQueue(
      maximumDatagrams: configuration.maximumQueuedDatagrams,
      maximumBytes: configuration.maximumQueuedBytes,
      canSegment: canSegment)
  }

  /// How many datagrams, or runs of them that the kernel put together, one system call receives.
  static let placeCount = 32
  /// How many it receives where long runs come: each may have 64 KiB.
  static let longRunLimit = 8

  /// The descriptor, to register it with a loop.
  public var fileDescriptor: Int32 { descriptor.number }
}
