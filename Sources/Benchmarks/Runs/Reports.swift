import CBenchmarks
public import Primitives
public import Workloads

/// What one end of a flood tells of itself.
public struct FloodReport: Hashable, Sendable {
  public var role: String
  public var messages: UInt64
  public var elapsed: Interval
  /// Of this end, within the time that was measured.
  public var processorTime: Interval
  public var lost: UInt64
  public var outOfSequence: UInt64
  public var congestion: String?
  public var port: UInt16?

  public init(
    role: String, messages: UInt64, elapsed: Interval, processorTime: Interval, lost: UInt64,
    outOfSequence: UInt64, congestion: String? = nil, port: UInt16? = nil
  ) {
    self.role = role
    self.messages = messages
    self.elapsed = elapsed
    self.processorTime = processorTime
    self.lost = lost
    self.outOfSequence = outOfSequence
    self.congestion = congestion
    self.port = port
  }

  public var line: String {
    let seconds = Double(elapsed.nanoseconds) / 1e9
    let rate = seconds > 0 ? Double(messages) / seconds : 0
    let perMessage = messages > 0 ? Double(processorTime.nanoseconds) / Double(messages) : 0
    var line = "{\"t\":\"flood\",\"role\":\"\(role)\",\"messages\":\(messages)"
    line += ",\"seconds\":\(fixedPoint(seconds, places: 3)),\"rate\":\(fixedPoint(rate, places: 0))"
    line += ",\"cpu_ns_msg\":\(fixedPoint(perMessage, places: 1)),\"lost\":\(lost)"
    line += ",\"out_of_sequence\":\(outOfSequence)"
    if let congestion { line += ",\"congestion\":\"\(congestion)\"" }
    if let port { line += ",\"port\":\(port)" }
    return line + ",\"rss_kb\":\(patter_peak_memory())}"
  }
}

/// What the asking end of a conversation tells.
public struct EchoReport: Sendable {
  private var roundTrips: Samples

  public init(_ roundTrips: Samples) {
    self.roundTrips = roundTrips
    self.roundTrips.sort()
  }

  /// Times are microseconds.
  public var line: String {
    var samples = roundTrips
    func microseconds(_ percent: Double) -> String {
      fixedPoint((samples.percentile(percent) ?? .nan) / 1e3, places: 2)
    }
    var line = "{\"t\":\"pp\",\"role\":\"client\",\"count\":\(samples.count)"
    line += ",\"p50_us\":\(microseconds(50)),\"p99_us\":\(microseconds(99))"
    line += ",\"p999_us\":\(microseconds(99.9))"
    return line + ",\"rss_kb\":\(patter_peak_memory())}"
  }
}

/// What this process has used.
public enum ProcessUsage {
  public static var processorTime: Interval {
    .nanoseconds(Int64(clamping: patter_processor_time()))
  }

  /// In KiB.
  public static var peakMemory: UInt64 { patter_peak_memory() }

  static func line(role: String) -> String {
    let seconds = Double(processorTime.nanoseconds) / 1e9
    return "{\"role\":\"\(role)\",\"cpu_s\":\(fixedPoint(seconds, places: 3))"
      + ",\"rss_kb\":\(peakMemory)}"
  }
}

/// The processors of this machine.
public enum Processor {
  /// Binds the calling thread to one of them, so that the ends of a pair do not take turns on one;
  /// without effect where there is no such processor.
  public static func pin(_ number: Int) {
    patter_pin(Int32(number))
  }
}
