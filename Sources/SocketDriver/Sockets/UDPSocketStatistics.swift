/// What one socket has done since it was opened.
public struct UDPSocketStatistics: Hashable, Sendable {
  /// Datagrams that were handed on.
  public var datagramsReceived: UInt64 = 0
  public var bytesReceived: UInt64 = 0
  /// Datagrams that were larger than a slot and were dropped.
  public var datagramsTruncated: UInt64 = 0
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
