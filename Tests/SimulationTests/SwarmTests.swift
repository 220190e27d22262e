import Primitives
import Simulation
import Testing

/// The whole datagram machine in runs that are drawn; `patter simulate` makes many more of them.
struct SwarmTests {
  private func replay(_ outcome: SimulationOutcome) -> Comment {
    "patter simulate --seed \(outcome.seed): \(outcome.violations.first?.description ?? "")"
  }

  // Those that are done soonest in a debug build.
  @Test(arguments: Seeds.some(14).suffix(8))
  func `nothing that must never happen happens, and all that was promised comes true`(
    seed: UInt64
  ) {
    let outcome = SimulationRun(seed: seed).run()
    #expect(outcome.isSuccess, replay(outcome))
  }

  /// Seeds that once failed, or found what others did not, and why.
  static let regressions: [(seed: UInt64, reason: String)] = [
    (26, "the first of all to fail where a copy of a reliable message is not told apart")
  ]

  @Test(arguments: regressions.map(\.seed))
  func `what once failed does so no more`(seed: UInt64) {
    let outcome = SimulationRun(seed: seed).run()
    #expect(outcome.isSuccess, replay(outcome))
  }

  @Test func `the same seed gives the same run`() {
    func run() -> (SimulationOutcome, [String]) {
      var lines: [String] = []
      let outcome = SimulationRun(seed: 9) { lines.append($0) }.run()
      return (outcome, lines)
    }
    let (first, second) = (run(), run())
    #expect(first.0 == second.0)
    let isSame = first.1 == second.1
    #expect(isSame)
    #expect(first.1.count > 100)
  }

  /// What checkers cannot find proves nothing by its absence.
  @Test(arguments: Sabotage.allCases)
  func `what is broken on purpose is noticed`(sabotage: Sabotage) {
    let isNoticed = (7...30).contains { seed in
      !SimulationRun(seed: seed, sabotage: sabotage).run().isSuccess
    }
    #expect(isNoticed, "\(sabotage)")
  }
}
