import Primitives
import Testing

@testable import Simulation
@testable import patter

struct SimulatePresenterTests {
  private func outcome(_ seed: UInt64, _ words: [String]) -> SimulationOutcome {
    SimulationOutcome(
      seed: seed,
      violations: words.map {
        Violation(time: Instant(nanoseconds: 1_234_567), words: $0)
      },
      duration: .seconds(30), convergence: words.isEmpty ? .milliseconds(1_500) : nil,
      datagrams: 20, messages: 10)
  }

  @Test func saysNothingOfARunThatWentWell() {
    var presenter = SimulatePresenter()
    #expect(presenter.take(outcome(1, [])) == [])
    #expect(presenter.failureCount == 0)
  }

  @Test func saysInOneLineHowToRepeatAFailure() {
    var presenter = SimulatePresenter()
    let lines = presenter.take(outcome(4_711, ["a message arrived twice", "and another"]))
    #expect(
      lines == [
        .out("failed: patter simulate --seed 4711   # at 1234 us: a message arrived twice"),
        .out("  at 1234 us: and another"),
      ])
  }

  @Test func sumsUp() {
    var presenter = SimulatePresenter()
    for seed in UInt64(1)...3 { _ = presenter.take(outcome(seed, seed == 2 ? ["lost"] : [])) }
    #expect(
      presenter.summary(after: .seconds(2))
        == "3 runs, 1 failed; 1 runs/s, 30 messages, 60 datagrams, 90 s of virtual time, "
        + "converged within 1500 ms")
  }
}
