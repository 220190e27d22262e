import ChatTransport
import Primitives

/// Estimates the time there and back from acknowledgements (RFC 9002, section 5).
struct RoundTripEstimator {
  private(set) var latest: Interval
  private(set) var smoothed: Interval
  private(set) var variation: Interval
  private(set) var minimum: Interval
  private(set) var hasSample = false

  /// The finest difference that timers can tell (RFC 9002, section 6.1.2).
  static let granularity = Interval.milliseconds(1)

  init(assumed: Interval) {
    latest = .zero
    smoothed = assumed
    variation = assumed / 2
    minimum = .zero
  }

  /// Takes in a measurement: the time from sending the largest newly acknowledged packet to now,
  /// and how much of it the peer says it waited.
  mutating func update(_ sample: Interval, acknowledgementDelay: Interval) {
    let sample = max(sample, Interval(nanoseconds: 1))
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

  /// After which time without an acknowledgement a probe is sent (RFC 9002, section 6.2.1). The
  /// peer acknowledges at once, so no acknowledgement delay is added.
  var probeTimeout: Interval {
    smoothed + max(variation * 4, Self.granularity)
  }

  /// How much earlier than an acknowledged packet one has to be sent to count as lost
  /// (RFC 9002, section 6.1.2).
  var lossDelay: Interval {
    max(max(smoothed, latest) * 9 / 8, Self.granularity)
  }

  /// The figures for a person, once there is a measurement.
  var figures: RoundTripTime? {
    guard hasSample else { return nil }
    return RoundTripTime(
      latest: latest, smoothed: smoothed, variation: variation, minimum: minimum)
  }
}
