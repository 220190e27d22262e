public import Workloads

/// One row under one loss: the pooled samples of all its runs.
public struct LossCell: Sendable {
  public var row: LossRow
  /// The probability that a packet is lost, each way.
  public var loss: Double
  public var runs = 0
  /// From the scheduled sending to the delivery.
  public var latencies = Samples()
  public var expected = 0
  public var duplicates = 0
  public var outOfOrder = 0
  /// IP bytes of both directions, and messages that were to be sent, over all runs.
  public var bytes = 0.0
  public var messages = 0
  /// The 99th percentile of the wire's lateness in the worst run, in microseconds.
  public var lateness = 0.0
  /// Packets that were dropped by a full queue of the wire and not by its loss.
  public var drops = 0

  /// The share of the measured messages that arrived in time to be counted.
  public var delivered: Double {
    expected > 0 ? Double(latencies.count) / Double(expected) : 0
  }

  public var bytesPerMessage: Double { messages > 0 ? bytes / Double(messages) : 0 }

  /// The most lateness of the wire that figures can bear, in microseconds.
  public static let tolerableLateness = 2_000.0

  public var isTrustworthy: Bool {
    runs > 0 && lateness <= Self.tolerableLateness && drops == 0
  }

  /// Adds what a run told.
  mutating func add(samples: [Double], server: FlatJSON, wire: FlatJSON, plan: StreamPlan) {
    runs += 1
    latencies.append(contentsOf: Samples(samples.map { UInt64($0) * 1_000 }))
    expected += Int(server.number("expected") ?? 0)
    duplicates += Int(server.number("dup") ?? 0)
    outOfOrder += Int(server.number("ooo") ?? 0)
    bytes += wire.number("bytes") ?? 0
    messages += plan.flows * Int(plan.messagesPerFlow)
    lateness = max(lateness, wire.number("late_p99_us") ?? 0)
    for name in ["overflowed", "queue_drops", "refused"] { drops += Int(wire.number(name) ?? 0) }
  }
}
