import Primitives

/// HyStart++ (RFC 9406): finds the end of the first slow start by a rise of the round-trip time,
/// before a queue overflows.
///
/// The round-trip time of each round is compared with that of the round before. A rise leads to
/// conservative slow start, a quarter as fast; where the time falls again there, the rise was
/// jitter, and slow start goes on; after five rounds it is over.
struct HyStart: Equatable {
  enum Step: Equatable {
    /// The window grows by all that was acknowledged.
    case full
    /// The window grows by a quarter of it: conservative slow start.
    case conservative
    /// Slow start is over.
    case leave
  }

  // RFC 9406, section 4.3.
  private static let sampleCount = 8
  private static let conservativeRounds = 5
  static let conservativeDivisor = 4

  /// Above this a round counts as slower than one that took `base` (RFC 9406, section 4.2,
  /// RttThresh).
  static func rise(above base: Interval) -> Interval {
    max(.milliseconds(4), min(base / 8, .milliseconds(16)))
  }

  private static let never = Interval(nanoseconds: .max)
  private var roundStart: Instant?
  private var lastMinimum = never
  private var currentMinimum = never
  private var samples = 0
  /// The round-trip time that conservative slow start began with.
  private var baseline: Interval?
  private var rounds = 0

  /// Takes in an acknowledgement with its measurement of the round-trip time.
  mutating func step(sample: Interval, newestSentAt: Instant, at now: Instant) -> Step {
    // A round lasts until something is acknowledged that was sent after its start.
    if roundStart.map({ newestSentAt >= $0 }) ?? true {
      if roundStart != nil, baseline != nil {
        rounds += 1
        if rounds >= Self.conservativeRounds { return .leave }
      }
      roundStart = now
      lastMinimum = currentMinimum
      currentMinimum = Self.never
      samples = 0
    }
    samples += 1
    currentMinimum = min(currentMinimum, sample)
    guard samples >= Self.sampleCount else { return current }
    if let baseline {
      if currentMinimum < baseline { self.baseline = nil }
    } else if lastMinimum != Self.never,
      currentMinimum >= lastMinimum + Self.rise(above: lastMinimum)
    {
      baseline = currentMinimum
      rounds = 0
    }
    return current
  }

  /// The application limited sending: rounds before and after cannot be compared.
  mutating func interrupt() {
    self = HyStart()
  }

  private var current: Step { baseline == nil ? .full : .conservative }
}
