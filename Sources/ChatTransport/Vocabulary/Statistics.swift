public import Primitives

/// Counters and gauges of one peer, or summed over all. What a transport cannot know is `nil`,
/// never zero.
public struct TransportStatistics: Hashable, Sendable {
  /// Messages accepted for sending.
  public var messagesSent: UInt64 = 0
  /// Messages delivered to the user.
  public var messagesReceived: UInt64 = 0
  public var bytesSent: UInt64?
  public var bytesReceived: UInt64?
  public var datagramsSent: UInt64?
  public var datagramsReceived: UInt64?
  /// Datagrams declared lost on the way to the peer (RFC 9002, section 6).
  public var datagramsLost: UInt64?
  /// Datagrams that were declared lost and arrived all the same.
  public var spuriouslyLost: UInt64?
  /// Bytes sent again after a loss.
  public var bytesRetransmitted: UInt64?
  /// Bytes sent again before anybody could know of a loss.
  public var bytesRedundant: UInt64?
  /// Datagrams or messages that arrived a second time and were dropped.
  public var duplicates: UInt64?
  /// Datagrams that arrived after one that was sent later.
  public var reordered: UInt64?
  public var roundTripTime: RoundTripTime?
  /// Bytes sent and neither acknowledged nor declared lost.
  public var bytesInFlight: Int?
  /// How many bytes may be in flight.
  public var congestionWindow: Int?
  /// The largest datagram that the path is known to carry, in bytes.
  public var datagramSize: Int?
  /// Bytes of payload that wait to be sent or acknowledged.
  public var sendQueueBytes: Int?

  public init() {}
}

/// The time there and back (RFC 9002, section 5).
public struct RoundTripTime: Hashable, Sendable {
  public var latest: Interval
  public var smoothed: Interval
  public var variation: Interval
  public var minimum: Interval

  public init(latest: Interval, smoothed: Interval, variation: Interval, minimum: Interval) {
    self.latest = latest
    self.smoothed = smoothed
    self.variation = variation
    self.minimum = minimum
  }
}
