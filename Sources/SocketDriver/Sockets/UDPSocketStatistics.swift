/// What one socket has done since it was opened.
public struct UDPSocketStatistics: Hashable, Sendable {
  /// Datagrams that were handed on.
  public var datagramsReceived: UInt64 = 0
  public var bytesReceived: UInt64 = 0
  /// Datagrams that were larger than may be and were dropped.
  public var datagramsTruncated: UInt64 = 0
  /// Datagrams that the kernel dropped since its receive buffer was full, as far as it has told: it
  /// does with the next one that it hands over.
  public var receiveOverflows: UInt64 = 0
  /// System calls that asked for datagrams.
  public var receiveCalls: UInt64 = 0
  /// The kernel's buffers as it has granted them, in bytes of its own count: twice what was asked
  /// for, or less. 0 where it does not tell.
  public var receiveBufferSize = 0
  public var sendBufferSize = 0
  /// Whether the kernel hands over several datagrams as one.
  public var isCoalescing = false
  /// How often the kernel would not cut a run of datagrams, which then went one by one.
  public var segmentationRefusals: UInt64 = 0
  /// Datagrams that the kernel took.
  public var datagramsSent: UInt64 = 0
  public var bytesSent: UInt64 = 0
  /// Datagrams that were dropped because the queue was at its bound.
  public var queueOverflows: UInt64 = 0
  /// How often receiving told of which errno, such as ECONNREFUSED for a datagram of ours that
  /// nobody was there to take.
  public var receiveErrors: [Int32: UInt64] = [:]
  /// How many datagrams could not be sent for which errno.
  public var sendErrors: [Int32: UInt64] = [:]

  public init() {}
}
