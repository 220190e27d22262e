public import Primitives

/// Counters and gauges of one peer, or summed over all. What a transport cannot know is `nil`,
/// never zero.
///
/// Counters begin with the peer, or with the transport for the sum, and never fall. Gauges say how
/// it is now; they are `nil` in the sum, where they would mean nothing.
public struct TransportStatistics: Hashable, Sendable {
  // MARK: Counters

  /// Messages accepted for sending. In the sum one to everyone counts once.
  public var messagesSent: UInt64 = 0
  /// Messages delivered to the user.
  public var messagesReceived: UInt64 = 0
  /// Bytes handed to the layer below: for datagrams their payloads, without the headers of UDP and
  /// IP, with all that is sent again and all acknowledgements.
  public var bytesSent: UInt64?
  /// Bytes that came in on the connection, counted likewise, with those that were dropped.
  public var bytesReceived: UInt64?
  /// Datagrams handed to the layer below, also those that carry acknowledgements only.
  public var datagramsSent: UInt64?
  /// Datagrams that came in on the connection, with those that were dropped.
  public var datagramsReceived: UInt64?
  /// Datagrams declared lost on the way to the peer (RFC 9002, section 6), with those of
  /// `spuriouslyLost`. Probes for a larger size of datagrams do not count.
  public var datagramsLost: UInt64?
  /// Datagrams that were declared lost and arrived all the same.
  public var spuriouslyLost: UInt64?
  /// Bytes of messages, with the headers of their frames, sent again after a loss.
  public var bytesRetransmitted: UInt64?
  /// Bytes of messages sent again before anybody could know of a loss.
  public var bytesRedundant: UInt64?
  /// Datagrams that arrived a second time, or brought nothing but what was here already.
  public var duplicates: UInt64?
  /// Datagrams that arrived after one that was sent later.
  public var reordered: UInt64?

  // MARK: Gauges

  /// The time there and back, once it was measured.
  public var roundTripTime: RoundTripTime?
  /// Bytes of datagrams sent and neither acknowledged nor declared lost.
  public var bytesInFlight: Int?
  /// How many bytes may be in flight.
  public var congestionWindow: Int?
  /// The largest datagram that the path is known to carry, in bytes of UDP payload.
  public var datagramSize: Int?
  /// The depth of the send queue: bytes of messages that wait to be sent or acknowledged, with what
  /// holding them costs.
  public var sendQueueBytes: Int?

  public init() {}
}

/// The time there and back (RFC 9002, section 5), in nanoseconds inside.
public struct RoundTripTime: Hashable, Sendable {
  /// The last sample.
  public var latest: Interval
  /// The smoothed mean.
  public var smoothed: Interval
  /// How far samples lie from the mean, smoothed.
  public var variation: Interval
  /// The smallest sample of the connection.
  public var minimum: Interval

  public init(latest: Interval, smoothed: Interval, variation: Interval, minimum: Interval) {
    self.latest = latest
    self.smoothed = smoothed
    self.variation = variation
    self.minimum = minimum
  }
}
