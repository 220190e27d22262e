import Primitives
import Testing

struct SplitMix64Tests {
  /// The numbers that Vigna's splitmix64.c gives.
  @Test func givesTheNumbersOfTheReference() {
    var generator = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in generator.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func worksAtTheLargestSeed() {
    var generator = SplitMix64(seed: .max)
    #expect(generator.next() == mix64(.max))
    #expect(generator.next() == mix64(.max &+ 0x9E37_79B9_7F4A_7C15))
  }

  @Test func unitIntervalLeavesOutOne() {
    var generator = SplitMix64(seed: 1)
    let numbers = (0..<10_000).map { _ in generator.unitInterval() }
    #expect(numbers.allSatisfy { (0..<1).contains($0) })
    let mean = numbers.reduce(0, +) / 10_000
    // Five standard deviations of the mean of 10,000 uniform numbers.
    #expect(abs(mean - 0.5) < 0.0145)
  }
}

struct KeyedGeneratorTests {
  @Test func repeatsItselfForOneKey() {
    var (one, other) = (KeyedGenerator(key: Secret(seed: 7)), KeyedGenerator(key: Secret(seed: 7)))
    for _ in 0..<100 { #expect(one.next() == other.next()) }
  }

  @Test func differsForAnotherKey() {
    var (one, other) = (KeyedGenerator(key: Secret(1, 2)), KeyedGenerator(key: Secret(2, 1)))
    #expect(one.next() != other.next())
  }

  @Test func hashesACounter() {
    let key = Secret(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    var generator = KeyedGenerator(key: key)
    for counter in 0..<3 as Range<UInt64> {
      var hash = SipHash(key: key)
      hash.combine(counter)
      #expect(generator.next() == hash.finalize())
    }
  }

  @Test func doesNotRepeatWithinARun() {
    var generator = KeyedGenerator(key: Secret(seed: 1))
    let numbers = Set((0..<1_000).map { _ in generator.next() })
    #expect(numbers.count == 1_000)
  }
}
