import Testing

@testable import Benchmarks

struct FairnessTests {
  @Test func indexIsOneWhereAllHaveTheSame() {
    #expect(jainIndex([3, 3, 3]) == 1)
    #expect(jainIndex([5, 0]) == 0.5)
    #expect(abs(jainIndex([3, 1]) - 0.8) < 1e-12)
  }

  @Test func casesAreOfTheCongestionControlsThereAre() {
    let none = FairnessCase.all(congestionControls: []).map(\.name)
    #expect(none == ["patter", "patter+patter"])
    let cubic = FairnessCase.all(congestionControls: ["reno", "cubic"]).map(\.name)
    #expect(cubic.contains("cubic+patter") && cubic.contains("cubic+games-all"))
    #expect(!cubic.contains { $0.contains("bbr") })
    #expect(
      FairnessCase.all(congestionControls: ["cubic", "bbr"]).map(\.name).contains("cubic+bbr"))
  }

  @Test func medianOfItsRunsIsWhatAMemberGets() throws {
    let sharing = try #require(
      FairnessCase.all(congestionControls: ["cubic"]).first { $0.name == "cubic+patter" })
    var cell = FairnessCell(sharing, rate: 10_000_000)
    let wire = try #require(
      FlatJSON(#"{"packets":1000,"queue_full":20,"late_p99_us":150,"queue_drops":0}"#))
    for goodputs in [[4.0, 4], [3, 6], [2, 5]] {
      cell.add(goodputs: goodputs, samples: [], expected: 0, wire: wire)
    }
    #expect(cell.goodput(of: 0) == 3 && cell.goodput(of: 1) == 5)
    #expect(cell.range(of: 1) == 4...6)
    #expect(cell.share(of: 1) == 0.625)
    #expect(cell.fairness.map { abs($0 - 64.0 / 68) < 1e-12 } == true)
    #expect(cell.dropRate == 0.02 && cell.isTrustworthy)
  }

  @Test func gamesAreNotAskedToBeGreedy() throws {
    let sharing = try #require(
      FairnessCase.all(congestionControls: ["cubic"]).first { $0.name == "cubic+games-all" })
    #expect(FairnessCell(sharing, rate: 1).fairness == nil)
  }
}
