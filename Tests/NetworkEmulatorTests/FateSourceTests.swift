import NetworkEmulator
import Testing

struct FateSourceTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    let seed: UInt64
    let purpose: FateSource.Purpose
    let link: UInt32
    let flow: UInt32
    let index: UInt64
    let unit: Double

    var testDescription: String { "\(seed) \(purpose) \(link) \(flow) \(index)" }
  }

  /// Computed by an independent implementation of the recipe; exact, since every result is a whole
  /// multiple of 2^-53.
  static let vectors = [
    Vector(seed: 0, purpose: .loss, link: 0, flow: 0, index: 0, unit: 0x1.97eb6196f0644p-3),
    Vector(seed: 7, purpose: .loss, link: 0, flow: 0, index: 0, unit: 0x1.d425d5cf45333p-1),
    Vector(seed: 7, purpose: .loss, link: 0, flow: 0, index: 1, unit: 0x1.7162ddced4658p-3),
    Vector(seed: 7, purpose: .delayJitter, link: 0, flow: 0, index: 0, unit: 0x1.6ca1fd3d810cp-5),
    Vector(seed: 7, purpose: .loss, link: 1, flow: 0, index: 0, unit: 0x1.4d4aa2591daacp-2),
    Vector(seed: 7, purpose: .loss, link: 0, flow: 1, index: 0, unit: 0x1.a69e6d08ef2bep-2),
    Vector(seed: 7, purpose: .reordering, link: 3, flow: 2, index: 1, unit: 0x1.85454969bc5dep-1),
    Vector(
      seed: .max, purpose: .duplicateGap, link: .max, flow: .max, index: .max,
      unit: 0x1.06b2cf2778f8ep-2),
  ]

  @Test(arguments: vectors)
  func givesTheSameBitsOnEveryMachine(vector: Vector) {
    let unit = FateSource(seed: vector.seed)
      .unit(purpose: vector.purpose, link: vector.link, flow: vector.flow, index: vector.index)
    #expect(unit == vector.unit)
  }

  @Test(arguments: FateSource.Purpose.allCases)
  func isUniform(purpose: FateSource.Purpose) {
    let count = 20_000
    var buckets = [Int](repeating: 0, count: 20)
    for index in 0..<count {
      let unit = FateSource(seed: 11)
        .unit(purpose: purpose, link: 2, flow: 3, index: UInt64(index))
      buckets[Int(unit * 20)] += 1
    }
    // The 99.9 % quantile of the chi-squared distribution with 19 degrees of freedom.
    let expected = Double(count) / 20
    let squares = buckets.map { ($0 - count / 20) * ($0 - count / 20) }.reduce(0, +)
    #expect(Double(squares) / expected < 43.8)
  }

  struct Step: Sendable {
    var seed: UInt64 = 0
    var purpose = 0
    var link: UInt32 = 0
    var flow: UInt32 = 0
    var index: UInt64 = 0
  }

  @Test(arguments: [
    Step(seed: 1), Step(purpose: 1), Step(link: 1), Step(flow: 1), Step(index: 1),
    Step(purpose: 1, link: 1), Step(link: 1, flow: 1), Step(flow: 1, index: 1),
  ])
  func drawsOfNeighbouringKeysAreUncorrelated(step: Step) {
    let purposes = FateSource.Purpose.allCases
    let count = 10_000
    var sum = 0.0
    for index in 0..<UInt64(count) {
      let left = FateSource(seed: 3).unit(purpose: purposes[0], link: 5, flow: 7, index: index)
      let right = FateSource(seed: 3 + step.seed).unit(
        purpose: purposes[step.purpose], link: 5 + step.link, flow: 7 + step.flow,
        index: index + step.index)
      sum += (left - 0.5) * (right - 0.5) * 12
    }
    // The mean of the products has a standard deviation of 1/sqrt(count).
    #expect(abs(sum / Double(count)) < 4 / Double(count).squareRoot())
  }

  @Test func numbersOfPurposesNeverChange() {
    let numbers = FateSource.Purpose.allCases.map { "\($0)=\($0.rawValue)" }
    #expect(
      numbers == [
        "loss=1", "delayJitter=2", "duplication=3", "duplicateGap=4", "reordering=5",
        "burstBeginning=6", "burstLength=7",
      ])
  }
}
