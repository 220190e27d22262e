import Primitives

@testable import DatagramPeer

/// A controller with a path whose round-trip time is given, driven a round trip at a time.
struct CongestionDriver {
  static let datagram = 1_000
  var controller: CongestionController
  var roundTrip = RoundTripEstimator(assumed: .milliseconds(100))
  var now = Instant.zero
  var time: Interval

  init(_ algorithm: CongestionControl, roundTrip time: Interval = .milliseconds(100)) {
    controller = CongestionController(algorithm, datagramSize: Self.datagram)
    self.time = time
    roundTrip.update(time, acknowledgementDelay: .zero)
  }

  var window: Int { controller.window }

  /// A round trip passes, and `bytes` of it, a full window if none are given, are acknowledged at
  /// once.
  mutating func acknowledge(_ bytes: Int? = nil, isLimited: Bool = true) {
    // What is sent at the very instant of a reduction belongs to the time before it.
    let sentAt = now + .nanoseconds(1)
    now = now + time
    roundTrip.update(time, acknowledgementDelay: .zero)
    controller.didAcknowledge(
      bytes: bytes ?? window, newestSentAt: sentAt, wasWindowLimited: isLimited,
      roundTrip: roundTrip, at: now)
  }

  /// A datagram is lost that was sent a round trip ago.
  mutating func lose(
    sentAt: Instant? = nil, isLimited: Bool = true, isPersistent: Bool = false, inFlight: Int? = nil
  ) {
    now = now + .milliseconds(1)
    controller.didLose(
      bytes: Self.datagram, newestSentAt: sentAt ?? now - time, isPersistent: isPersistent,
      wasWindowLimited: isLimited, bytesInFlight: inFlight ?? window, roundTrip: roundTrip, at: now)
  }

  /// Slow start up to 80 datagrams.
  mutating func fill() {
    for _ in 0..<3 { acknowledge() }
  }

  /// Queues fill up: the round-trip time is twice its minimum.
  mutating func congest() {
    for _ in 0..<20 { roundTrip.update(time * 2, acknowledgementDelay: .zero) }
  }
}
