import Testing

@testable import Workloads

struct SamplesTests {
  @Test func interpolatesBetweenTheNearestRanks() {
    var samples = Samples([40, 10, 30, 20])
    #expect(samples.percentile(0) == 10)
    #expect(samples.percentile(50) == 25)
    #expect(samples.percentile(100) == 40)
    let p95 = samples.percentile(95) ?? 0
    #expect(abs(p95 - 38.5) < 1e-9)
  }

  @Test func hasNoPercentileWithoutSamples() {
    var samples = Samples()
    #expect(samples.percentile(50) == nil)
    #expect(samples.mean == 0)
  }

  @Test func isEveryPercentileWhereThereIsOne() {
    var samples = Samples([7])
    #expect(samples.percentile(50) == 7 && samples.percentile(99.9) == 7)
  }

  @Test func poolsTheSamplesOfSeveralRuns() {
    var all = Samples([1, 2])
    all.append(contentsOf: Samples([9, 0]))
    all.append(3)
    #expect(all.count == 5)
    #expect(all.percentile(50) == 2)
    #expect(all.mean == 3)
  }

  @Test func takesTheMiddleOfFigures() {
    #expect(median([]) == nil)
    #expect(median([3]) == 3)
    #expect(median([9, 1, 5]) == 5)
    #expect(median([1, 2, 3, 10]) == 2.5)
  }

  @Test(arguments: [
    (25.106, 2, "25.11"), (0, 2, "0.00"), (-0.001, 2, "0.00"), (-1.5, 0, "-2"), (0.05, 3, "0.050"),
    (1234.5, 0, "1235"), (99.999, 2, "100.00"),
  ])
  func printsFixedPoint(_ value: Double, _ places: Int, _ text: String) {
    #expect(fixedPoint(value, places: places) == text)
  }

  @Test func printsWhatIsNoNumber() {
    #expect(fixedPoint(.nan, places: 2) == "nan")
    #expect(fixedPoint(-.infinity, places: 2) == "-inf")
  }
}
