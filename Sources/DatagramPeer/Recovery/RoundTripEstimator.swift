import ChatTransport
import Primitives

/// Estimates the time there and back from acknowledgements (RFC 9002, section 5).
struct RoundTripEstimator {
  private(set) var latest: Interval
  private(set) var smoothed: Interval
  private(set) var variation: Interval
  private(set) var minimum: Interval
  private(set) var hasSample = false
  /// How long a receiver waits at most whether more comes to be acknowledged together: an eighth of
  /// the round trip, and not more than `acknowledgementDelayLimit`.
  private(set) var acknowledgementDelay: Interval

  /// The least time that a peer is given to answer beyond the round trip (RFC 9002, section 6.1.2):
  /// its program, too, has to wake up.
  static let granularity = Interval.milliseconds(1)
  /// The least loss delay. It is only waited for when the peer has just acknowledged a later
  /// packet, so that it has to cover reordering and a timer, and not the peer's program: less than
  /// RFC 9002's millisecond, which is ten round trips of a local network.
  static let lossGranularity = Interval.microseconds(250)
  /// The longest that a receiver waits with an acknowledgement (RFC 9000, section 18.2).
  static let acknowledgementDelayLimit = Interval.milliseconds(25)

  init(assumed: Interval) {
    latest = .zero
    smoothed = assumed
    variation = assumed / 2
    minimum = .zero
    acknowledgementDelay = min(Self.acknowledgementDelayLimit, assumed / 8)
  }

  /// Takes in a measurement: the time from sending the largest newly acknowledged packet to now,
  /// and how much of it the peer says it waited.
  mutating func update(_ sample: Interval, acknowledgementDelay: Interval) {
    let sample = max(sample, Interval(nanoseconds: 1))
    defer { self.acknowledgementDelay = min(Self.acknowledgementDelayLimit, smoothed / 8) }
    latest = sample
    guard hasSample else {
      hasSample = true
      minimum = sample
      smoothed = sample
      variation = sample / 2
      return
    }
    minimum = min(minimum, sample)
    // The delay is taken off only where the result stays plausible (RFC 9002, section 5.3).
    let adjusted = sample - acknowledgementDelay >= minimum ? sample - acknowledgementDelay : sample
    let deviation = max(smoothed, adjusted) - min(smoothed, adjusted)
    variation = (variation * 3 + deviation) / 4
    smoothed = (smoothed * 7 + adjusted) / 8
  }

  /// After which time without an acknowledgement a probe is sent (RFC 9002, section 6.2.1), where
  /// the peer acknowledges at once. Where it may wait, `acknowledgementDelay` has to be added.
  var probeTimeout: Interval {
    smoothed + max(variation * 4, Self.granularity)
  }

  /// How much earlier than an acknowledged packet one has to be sent to count as lost
  /// (RFC 9002, section 6.1.2).
  var lossDelay: Interval { lossDelay(eighths: LossThresholds.minimumEighths) }

  /// The same with another factor on the round trip, in eighths.
  func lossDelay(eighths: Int64) -> Interval {
    max(max(smoothed, latest) * eighths / 8, Self.lossGranularity)
  }

  /// With how many eighths the loss delay would be longer than `age`.
  func lossEighths(for age: Interval) -> Int64 {
    let base = max(max(smoothed, latest).nanoseconds, 1)
    if age < Self.lossGranularity { return 0 }
    return min((age * 8).nanoseconds / base, .max - 1) + 1
  }

  /// The figures for a person, once there is a measurement.
  var figures: RoundTripTime? {
    guard hasSample else { return nil }
    return RoundTripTime(
      latest: latest, smoothed: smoothed, variation: variation, minimum: minimum)
  }
}
