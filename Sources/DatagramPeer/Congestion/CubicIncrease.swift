import Primitives

/// Congestion avoidance of CUBIC (RFC 9438, section 4).
///
/// The window follows a cubic curve of the time since the last reduction: fast at first, flat near
/// the window where the loss was, then faster and faster. Windows are in bytes, where the RFC
/// counts segments. The clock of the curve stands still while the application is what limits
/// sending, as section 5.8 asks; it does so by counting at most one round trip between two
/// acknowledgements, because what was acknowledged later than that was sent after a pause.
struct CubicIncrease: Equatable {
  /// What a loss leaves of the window (RFC 9438, section 4.6, beta).
  static let remainder = 0.7
  /// How steep the curve is, in segments per second cubed (RFC 9438, section 5, C).
  private static let steepness = 0.4
  /// Segments a round trip that make up for the smaller reduction where Reno would do better than
  /// the curve (RFC 9438, section 4.3, alpha): 3 (1 - beta) / (1 + beta).
  private static let friendlyStep = 3 * (1 - remainder) / (1 + remainder)

  /// The window where the curve is flat (W_max).
  private(set) var plateau = 0.0
  /// What Reno would have (W_est).
  private(set) var friendly = 0.0
  /// The window before the last reduction (cwnd_prior).
  private var prior = 0.0
  /// Seconds from the start of the curve to where it is flat (K).
  private(set) var rise = 0.0
  /// How long the curve has been followed.
  private(set) var elapsed = Interval.zero
  private var lastGrowth: Instant?
  private var hasCurve = false
  /// The part of the window below a byte.
  private var fraction = 0.0

  /// Notes a loss with this window, before it is reduced.
  mutating func reduce(from window: Int) {
    let window = Double(window)
    // Fast convergence (RFC 9438, section 4.7): whoever has to shrink twice leaves room for
    // newcomers.
    plateau = window < plateau ? window * (1 + Self.remainder) / 2 : window
    prior = window
    restart()
  }

  /// Congestion avoidance begins with the window that slow start has reached, and the curve with
  /// its flat part (RFC 9438, sections 4.8 and 4.10).
  mutating func leaveSlowStart(at window: Int) {
    plateau = Double(window)
    restart()
  }

  /// The curve begins anew from where the window is, towards the same plateau.
  mutating func restart() {
    hasCurve = false
    lastGrowth = nil
    fraction = 0
  }

  /// The application, and not the window, limited sending: this time does not count.
  mutating func pause(at now: Instant) {
    lastGrowth = now
  }

  /// The window after `bytes` more were acknowledged.
  mutating func grow(
    _ window: Int, by bytes: Int, datagramSize: Int, newestSentAt: Instant, smoothed: Interval,
    at now: Instant
  ) -> Int {
    let segment = Double(datagramSize)
    if !hasCurve { begin(at: Double(window), segment: segment) }
    if let lastGrowth {
      elapsed = elapsed + max(.zero, min(now - lastGrowth, now - newestSentAt))
    }
    lastGrowth = now

    let exact = Double(window) + fraction
    let share = min(Double(bytes) / exact, 1)
    friendly += (friendly >= prior ? 1 : Self.friendlyStep) * segment * share
    let seconds = Double(elapsed.nanoseconds) * 1e-9
    var next = max(exact, friendly)
    if curve(at: seconds, segment: segment) >= friendly {
      let ahead = curve(at: seconds + Double(smoothed.nanoseconds) * 1e-9, segment: segment)
      let target = min(max(ahead, exact), 1.5 * exact)
      next = exact + (target - exact) * share
    }
    next = min(next, Double(CongestionLimits.maximumWindow))
    let whole = Int(next)
    fraction = next - Double(whole)
    return whole
  }

  private mutating func begin(at window: Double, segment: Double) {
    hasCurve = true
    elapsed = .zero
    friendly = window
    plateau = max(plateau, window)
    rise = cubeRoot((plateau - window) / (Self.steepness * segment))
  }

  /// RFC 9438, section 4.2, figure 1.
  private func curve(at seconds: Double, segment: Double) -> Double {
    let distance = seconds - rise
    return Self.steepness * segment * distance * distance * distance + plateau
  }
}
