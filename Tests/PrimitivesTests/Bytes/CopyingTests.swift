import Primitives
import Testing

struct CopyingTests {
  @Test func appendsASpanToAnOutput() {
    let bytes: [UInt8] = [1, 2, 3]
    let copy = [UInt8](capacity: 8) { (output: inout OutputSpan<UInt8>) in
      output.append(0)
      output.append(contentsOf: bytes.span)
      output.append(contentsOf: [UInt8]().span)
      output.append(bytes, 1..<2)
      output.append(9)
    }
    #expect(copy == [0, 1, 2, 3, 2, 9])
  }

  @Test func copiesAPartOfASpan() {
    let bytes: [UInt8] = [1, 2, 3, 4]
    #expect(bytes.span.copy(1..<3) == [2, 3])
    #expect(bytes.span.copy(4..<4) == [])
  }

  @Test func appendsToAnArray() {
    var bytes: [UInt8] = [1]
    bytes.append(contentsOf: [2, 3].span)
    bytes.append([4, 5, 6], 1..<3)
    #expect(bytes == [1, 2, 3, 5, 6])
  }

  @Test func overwritesAPartOfAnArray() {
    var bytes: [UInt8] = [1, 2, 3, 4]
    let before = bytes
    bytes.overwrite(at: 1, with: [8, 9].span)
    bytes.overwrite(at: 4, with: [UInt8]().span)
    #expect(bytes == [1, 8, 9, 4] && before == [1, 2, 3, 4])
  }
}
