import Primitives
import Simulation
import Testing

/// The whole datagram machine in runs that are drawn; `patter simulate` makes many more of them.
struct SwarmTests {
  private func replay(_ outcome: SimulationOutcome) -> Comment {
    "patter simulate --seed \(outcome.seed): \(outcome.violations.first?.description ?? "")"
  }

  @Test(arguments: Seeds.some(8))
  func `nothing that must never happen happens, and all that was promised comes true`(
    seed: UInt64
  ) {
    let outcome = SimulationRun(seed: seed).run()
    #expect(outcome.isSuccess, replay(outcome))
  }

  /// Seeds that once failed, or nearly did, and why.
  static let regressions: [(seed: UInt64, reason: String)] = [
    (46, "six hosts on slow links, and late to be together again"),
    (623, "the latest to converge of two thousand"),
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
    let isNoticed = (1...30).contains { seed in
      !SimulationRun(seed: seed, sabotage: sabotage).run().isSuccess
    }
    #expect(isNoticed, "\(sabotage)")
  }
}
