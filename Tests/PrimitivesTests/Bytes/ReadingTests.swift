import Primitives
import Testing

struct ReadingTests {
  static let input: [UInt8] = [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0xFF]

  @Test func readsBigEndianNumbersOneAfterTheOther() {
    let span = Self.input.span
    var offset = 0
    let first = span.uint8(at: &offset)
    let second = span.uint16(at: &offset)
    let third = span.uint32(at: &offset)
    #expect(first == 0x01 && second == 0x2345 && third == 0x6789_ABCD && offset == 7)
    offset = 1
    let long = span.uint64(at: &offset)
    #expect(long == 0x2345_6789_ABCD_EFFF && offset == 9)
  }

  @Test(arguments: 1...8)
  func readsNumbersOfEveryWidth(width: Int) {
    var offset = 0
    let value = Self.input.span.bigEndian(width, at: &offset)
    #expect(value == 0x0123_4567_89AB_CDEF >> UInt64(64 - width * 8))
    #expect(offset == width)
  }

  @Test(arguments: 0...8)
  func movesNothingWhereBytesDoNotSuffice(available: Int) {
    let input = Self.input
    for start in [input.count - available, input.count + 1, -1, .max, .min] {
      for width in 1...8 where start < 0 || start > input.count || width > available {
        var offset = start
        let value = input.span.bigEndian(width, at: &offset)
        #expect(value == nil && offset == start, "\(width) bytes at \(start)")
      }
    }
  }

  @Test(arguments: [9, 10, -1, Int.max, .min])
  func namedWidthsMoveNothingOutsideTheBytes(start: Int) {
    let span = Self.input.span
    var offset = start
    let values: [UInt64?] = [
      span.uint8(at: &offset).map { UInt64($0) }, span.uint16(at: &offset).map { UInt64($0) },
      span.uint32(at: &offset).map { UInt64($0) }, span.uint64(at: &offset),
      span.variableLength(at: &offset),
    ]
    #expect(values == [nil, nil, nil, nil, nil] && offset == start)
  }

  @Test func givesRangesOfBytes() {
    let span = Self.input.span
    var offset = 2
    let some = span.bytes(3, at: &offset)
    #expect(some == 2..<5 && offset == 5)
    let none = span.bytes(0, at: &offset)
    #expect(none == 5..<5 && offset == 5)
    let rest = span.bytes(4, at: &offset)
    #expect(rest == 5..<9 && offset == 9)
    let end = span.bytes(0, at: &offset)
    #expect(end == 9..<9)
  }

  @Test(
    arguments: [
      (0, 10), (9, 1), (5, -1), (5, .max), (10, 0), (-1, 1), (.max, .max), (.min, 1),
    ] as [(Int, Int)])
  func givesNoRangeOutsideTheBytes(start: Int, length: Int) {
    var offset = start
    let range = Self.input.span.bytes(length, at: &offset)
    #expect(range == nil && offset == start)
  }

  @Test func copiesARange() {
    let copy = Self.input.span.copy(2..<5)
    let nothing = Self.input.span.copy(9..<9)
    #expect(copy == [0x45, 0x67, 0x89] && nothing == [])
  }
}
