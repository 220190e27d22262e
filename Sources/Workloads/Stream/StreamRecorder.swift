public import Primitives

/// Keeps the books of a stream where it arrives: every message once, how late it was, and what was
/// wrong with it.
public struct StreamRecorder: Sendable {
  public let plan: StreamPlan
  /// From the scheduled sending to the delivery, of what was measured.
  public private(set) var latencies = Samples()
  /// Messages that arrived, each counted once, warm-up included.
  public private(set) var received = 0
  /// Messages that had arrived before.
  public private(set) var duplicates = 0
  /// Messages that did not follow the newest of their flow.
  public private(set) var outOfOrder = 0
  /// Messages that belong to no flow of the plan, or are too short.
  public private(set) var strange = 0
  /// Measured messages by their flow and sequence: what one more run would be compared by.
  private var expected: [UInt32]
  private var seen: [Bool]

  public init(_ plan: StreamPlan) {
    self.plan = plan
    expected = [UInt32](repeating: 0, count: plan.flows)
    seen = [Bool](repeating: false, count: plan.flows * Int(plan.messagesPerFlow))
    latencies.reserve(plan.measured)
  }

  /// Whether every message has arrived.
  public var isComplete: Bool { received == seen.count }

  /// Takes in a message that was delivered at `now`.
  public mutating func take(_ payload: Span<UInt8>, at now: Instant) {
    guard let message = StreamMessage(payload), Int(message.flow) < plan.flows,
      message.sequence < plan.messagesPerFlow
    else {
      strange += 1
      return
    }
    let flow = Int(message.flow)
    let index = flow * Int(plan.messagesPerFlow) + Int(message.sequence)
    guard !seen[index] else {
      duplicates += 1
      return
    }
    seen[index] = true
    received += 1
    if message.sequence != expected[flow] { outOfOrder += 1 }
    if message.sequence >= expected[flow] { expected[flow] = message.sequence + 1 }
    guard message.sequence >= plan.firstMeasured else { return }
    latencies.append(UInt64(max(0, (now - message.scheduled).nanoseconds)))
  }

  /// The line in which programs that measure the same report it. Times are milliseconds.
  ///
  /// - Parameters:
  ///   - name: what carried the stream.
  ///   - processorTime: of the receiving process.
  ///   - peakMemory: of the receiving process, in KiB.
  public mutating func report(
    name: String, port: UInt16, processorTime: Interval, peakMemory: UInt64
  ) -> String {
    func milliseconds(_ nanoseconds: Double?) -> String {
      fixedPoint((nanoseconds ?? .nan) / 1e6, places: 2)
    }
    var line = "{\"proto\":\"\(name)\",\"role\":\"server\",\"port\":\(port),\"flows\":\(plan.flows)"
    line += ",\"expected\":\(plan.measured),\"got\":\(latencies.count)"
    line += ",\"dup\":\(duplicates),\"ooo\":\(outOfOrder)"
    line += ",\"mean\":\(milliseconds(latencies.mean))"
    let percentiles: KeyValuePairs = [
      "p50": 50, "p90": 90, "p95": 95, "p99": 99, "p999": 99.9,
    ]
    for (key, percent) in percentiles {
      line += ",\"\(key)\":\(milliseconds(latencies.percentile(percent)))"
    }
    line += ",\"max\":\(milliseconds(latencies.elements.last.map { Double($0) } ?? 0))"
    let seconds = Double(processorTime.nanoseconds) / 1e9
    line += ",\"cpu_s\":\(fixedPoint(seconds, places: 3)),\"rss_kb\":\(peakMemory)}"
    return line
  }

  /// All measured latencies in microseconds, for pooling with those of other runs.
  public var samplesLine: String {
    let numbers = latencies.elements.map { String($0 / 1_000) }.joined(separator: ",")
    return "{\"samples_us\":[\(numbers)]}"
  }
}
