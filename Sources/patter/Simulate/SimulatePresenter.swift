import Primitives
import Simulation

/// Says what came of runs.
struct SimulatePresenter {
  private(set) var count = 0
  private(set) var failureCount = 0
  private var datagrams = 0
  private var messages = 0
  private var virtualTime = Interval.zero
  private var longestConvergence = Interval.zero

  /// Counts a run; of a failure the first line repeats it, and the others say what was violated.
  mutating func take(_ outcome: SimulationOutcome) -> [OutputLine] {
    count += 1
    datagrams += outcome.datagrams
    messages += outcome.messages
    virtualTime = virtualTime + outcome.duration
    longestConvergence = max(longestConvergence, outcome.convergence ?? .zero)
    guard let first = outcome.violations.first else { return [] }
    failureCount += 1
    return [.out("failed: patter simulate --seed \(outcome.seed)   # \(first)")]
      + outcome.violations.dropFirst().map { .out("  \($0)") }
  }

  func summary(after time: Interval) -> String {
    let rate = Double(count) / max(time.milliseconds / 1_000, 0.001)
    return "\(count) runs, \(failureCount) failed; \(Int(rate)) runs/s, \(messages) messages, "
      + "\(datagrams) datagrams, \(Int(virtualTime.milliseconds / 1_000)) s of virtual time, "
      + "converged within \(Int(longestConvergence.milliseconds)) ms"
  }
}
