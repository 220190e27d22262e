import Primitives
import Testing

/// Variable-length numbers, by RFC 9000, section 16.
struct VariableLengthTests {
  @Test(
    arguments: [
      // RFC 9000, appendix A.1.
      ([0xC2, 0x19, 0x7C, 0x5E, 0xFF, 0x14, 0xE8, 0x8C], 151_288_809_941_952_652),
      ([0x9D, 0x7F, 0x3E, 0x7D], 494_878_333),
      ([0x7B, 0xBD], 15_293),
      ([0x25], 37),
      // Every width, first and last.
      ([0x00], 0),
      ([0x3F], 63),
      ([0x40, 0x40], 64),
      ([0x7F, 0xFF], 16_383),
      ([0x80, 0x00, 0x40, 0x00], 16_384),
      ([0xBF, 0xFF, 0xFF, 0xFF], 1_073_741_823),
      ([0xC0, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00], 1_073_741_824),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 4_611_686_018_427_387_903),
    ] as [([UInt8], UInt64)])
  func isWrittenInItsShortestFormAndRead(form: [UInt8], value: UInt64) {
    #expect(read(form) == Reading(value: value, offset: form.count))
    #expect(written(value) == form)
    #expect(variableLengthWidth(value) == form.count)
  }

  @Test(
    arguments: [
      // RFC 9000, appendix A.1: "the two-byte sequence 0x4025 decodes to 37".
      ([0x40, 0x25], 37),
      ([0x80, 0x00, 0x00, 0x25], 37),
      ([0xC0, 0, 0, 0, 0, 0, 0, 0], 0),
    ] as [([UInt8], UInt64)])
  func isReadInLongerForms(form: [UInt8], value: UInt64) {
    #expect(read(form) == Reading(value: value, offset: form.count))
  }

  @Test func doesNotReadBehindItself() {
    #expect(read([0x25, 0xFF]) == Reading(value: 37, offset: 1))
  }

  @Test(
    arguments: [
      [], [0x40], [0x80], [0x80, 0, 0], [0xC0], [0xC0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func movesNothingWhereBytesDoNotSuffice(form: [UInt8]) {
    #expect(read(form) == Reading(value: nil, offset: 0))
  }

  @Test func knowsItsLargest() {
    #expect(variableLengthMaximum == 4_611_686_018_427_387_903)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func comesBack(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<200 {
      // All widths as often, not nearly always the largest.
      let value = generator.next() >> UInt64.random(in: 2..<64, using: &generator)
      let form = written(value)
      #expect(read(form) == Reading(value: value, offset: form.count), "seed \(seed): \(value)")
    }
  }
}

private struct Reading: Equatable {
  var value: UInt64?
  var offset: Int
}

private func read(_ form: [UInt8]) -> Reading {
  var offset = 0
  let value = form.span.variableLength(at: &offset)
  return Reading(value: value, offset: offset)
}

private func written(_ value: UInt64) -> [UInt8] {
  [UInt8](capacity: 8) { output in output.append(variableLength: value) }
}
