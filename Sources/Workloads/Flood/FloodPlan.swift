public import ChatTransport
public import Primitives

/// Messages as fast as the transport takes them, for some time.
public struct FloodPlan: Hashable, Sendable {
  /// Bytes of a message, at least eight.
  public var size: Int
  /// Not measured, at the start.
  public var warmUp: Interval
  /// Measured.
  public var duration: Interval
  /// How many messages are handed over in one call; 1 for the plain one.
  public var batch: Int
  public var options: SendOptions

  public init(
    size: Int = 64, warmUp: Interval = .milliseconds(300), duration: Interval = .seconds(2),
    batch: Int = 64, options: SendOptions = SendOptions()
  ) {
    precondition(size >= FloodRun.counterSize, "a message holds its number")
    precondition(batch > 0, "a call hands over a message at least")
    self.size = size
    self.warmUp = warmUp
    self.duration = duration
    self.batch = batch
    self.options = options
  }
}

/// Which part of a flood is under way, at one of its ends.
public enum FloodPhase: Hashable, Sendable {
  case waiting
  case warmingUp
  case measuring
  case over
}

/// Counts messages at one end of a flood within its own time, which starts with the first of them.
public struct FloodMeter: Hashable, Sendable {
  public private(set) var phase = FloodPhase.waiting
  /// Measured messages.
  public private(set) var messages: UInt64 = 0
  /// For how long was measured.
  public private(set) var elapsed = Interval.zero
  private let plan: FloodPlan
  private var began = Instant.zero
  private var base: UInt64 = 0

  public init(_ plan: FloodPlan) {
    self.plan = plan
  }

  /// Takes in that there were `count` messages by `now`.
  public mutating func look(_ count: UInt64, at now: Instant) {
    switch phase {
    case .waiting:
      guard count > 0 else { return }
      began = now
      phase = .warmingUp
    case .warmingUp:
      guard now >= began + plan.warmUp else { return }
      began = now
      base = count
      phase = .measuring
    case .measuring:
      messages = count - base
      elapsed = now - began
      if elapsed >= plan.duration { phase = .over }
    case .over: break
    }
  }

  /// Messages a second.
  public var rate: Double {
    elapsed > .zero ? Double(messages) * 1e9 / Double(elapsed.nanoseconds) : 0
  }
}
