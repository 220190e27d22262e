import Primitives
import Testing

struct WritingTests {
  @Test func writesBigEndianNumbers() {
    let written = [UInt8](capacity: 14) { output in
      output.append(bigEndian: UInt16(0x0123))
      output.append(bigEndian: UInt32(0x4567_89AB))
      output.append(bigEndian: UInt64(0xCDEF_0011_2233_4455))
    }
    #expect(
      written == [
        0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x00, 0x11, 0x22, 0x33, 0x44, 0x55,
      ])
  }

  @Test(arguments: 0...8)
  func writesTheLowestBytesOfEveryWidth(width: Int) {
    let written = [UInt8](capacity: width) { output in
      output.append(0x0123_4567_89AB_CDEF, width: width)
    }
    #expect(written == Array([0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF].suffix(width)))
  }

  @Test func writesBytesAsTheyAre() {
    let source: [UInt8] = [1, 2, 3]
    let written = [UInt8](capacity: 6) { output in
      output.append(contentsOf: source)
      output.append(contentsOf: source.span)
    }
    #expect(written == [1, 2, 3, 1, 2, 3])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func numbersComeBack(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for width in 1...8 {
      let value = generator.next() >> UInt64(64 - width * 8)
      let written = [UInt8](capacity: width) { output in output.append(value, width: width) }
      var offset = 0
      let read = written.span.bigEndian(width, at: &offset)
      #expect(read == value && offset == width, "seed \(seed)")
    }
  }
}
