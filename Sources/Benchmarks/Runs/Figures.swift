/// One run of a flood, from what its two ends told.
public struct FloodFigure: Hashable, Sendable {
  /// Messages delivered a second.
  public var rate: Double
  /// Processor time of each end for a message, in nanoseconds.
  public var senderTime: Double
  public var receiverTime: Double
  /// Peak memory of each end, in KiB.
  public var senderMemory: Double
  public var receiverMemory: Double
  /// The share of the messages that was lost between the ends.
  public var loss: Double
  /// Messages that did not follow the one before.
  public var outOfSequence: Double
  public var congestion: String?

  init?(server: FlatJSON, client: FlatJSON) {
    guard let rate = server.number("rate"), let received = server.number("cpu_ns_msg"),
      let sent = client.number("cpu_ns_msg"), let messages = client.number("messages")
    else { return nil }
    self.rate = rate
    senderTime = sent
    receiverTime = received
    senderMemory = client.number("rss_kb") ?? 0
    receiverMemory = server.number("rss_kb") ?? 0
    loss = messages > 0 ? (client.number("lost") ?? 0) / messages : 0
    outOfSequence = server.number("out_of_sequence") ?? 0
    congestion = client.text("congestion")
  }
}

/// One run of a conversation: the time there and back, in microseconds.
public struct EchoFigure: Hashable, Sendable {
  public var p50: Double
  public var p99: Double
  public var p999: Double

  init?(client: FlatJSON) {
    guard let p50 = client.number("p50_us"), let p99 = client.number("p99_us"),
      let p999 = client.number("p999_us")
    else { return nil }
    self.p50 = p50
    self.p99 = p99
    self.p999 = p999
  }
}
