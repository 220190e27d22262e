import Primitives

/// Holds that a machine's work is bounded: no timer that is due for ever, no endless sending, and
/// next to nothing where there is nothing to say.
final class WorkChecker {
  private let violations: Violations

  /// Datagrams that may follow from one call: all that fits the queues is far less.
  private static let maximumPulls = 20_000
  /// Datagrams, and calls of `advance`, that each pair may cost in each second of silence: signs of
  /// life and their answers, in both directions.
  private static let idleRate = 4

  init(_ violations: Violations) {
    self.violations = violations
  }

  func check(staleDeadlines: Int, largestPullCount: Int, at host: Int) {
    if staleDeadlines > 0 {
      violations.add("host \(host): a deadline stood in the past \(staleDeadlines) times")
    }
    if largestPullCount > Self.maximumPulls {
      violations.add("host \(host): \(largestPullCount) datagrams after one call")
    }
  }

  func checkIdle(datagrams: Int, advances: Int, seconds: Int, hostCount: Int) {
    let limit = seconds * hostCount * (hostCount - 1) * Self.idleRate
    if datagrams > limit {
      violations.add("\(datagrams) datagrams in \(seconds) s of silence, and not \(limit)")
    }
    if advances > 4 * limit {
      violations.add("\(advances) timers in \(seconds) s of silence, and not \(4 * limit)")
    }
  }
}
