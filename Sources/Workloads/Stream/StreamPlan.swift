public import Primitives

/// How many messages there are, and when each is to be sent.
///
/// The times are absolute: message `k` of every flow belongs to tick `k`, and the flows are spread
/// evenly over the tick, so that they do not all send at once.
public struct StreamPlan: Hashable, Sendable {
  public var flows: Int
  /// Messages a second of each flow.
  public var rate: Double
  /// How long is sent, warm-up included, in seconds.
  public var seconds: Double
  /// How much of that is not measured, from the start, in seconds.
  public var warmUp: Double
  /// Bytes of a message.
  public var size: Int

  public init(
    flows: Int = 40, rate: Double = 60, seconds: Double = 20, warmUp: Double = 2, size: Int = 64
  ) {
    precondition(flows > 0 && rate > 0, "a stream has flows, and they have a rate")
    precondition(size >= StreamMessage.minimumSize, "a message holds its beginning")
    self.flows = flows
    self.rate = rate
    self.seconds = seconds
    self.warmUp = warmUp
    self.size = size
  }

  /// How many messages each flow sends.
  public var messagesPerFlow: UInt32 { UInt32(clamping: Int64(rate * seconds)) }

  /// Messages with a sequence below this are not measured.
  public var firstMeasured: UInt32 { min(messagesPerFlow, UInt32(clamping: Int64(rate * warmUp))) }

  /// How many messages are measured over all flows.
  public var measured: Int { flows * Int(messagesPerFlow - firstMeasured) }

  /// When message `sequence` of `flow` is to be sent in a stream that starts at `start`.
  public func due(flow: Int, sequence: UInt32, start: Instant) -> Instant {
    let period = 1e9 / rate
    let offset = Double(sequence) * period + Double(flow) * period / Double(flows)
    return start + .nanoseconds(Int64(offset))
  }
}
