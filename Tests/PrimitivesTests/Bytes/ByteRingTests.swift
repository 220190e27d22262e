import Primitives
import Testing

struct ByteRingTests {
  private func bytes(_ ring: ByteRing, _ range: Range<UInt64>) -> [UInt8] {
    var array: [UInt8] = []
    ring.copy(range, appendingTo: &array)
    return array
  }

  @Test func isEmptyAtFirstAndHoldsNoMemory() {
    let ring = ByteRing(start: 7)
    #expect(ring.isEmpty && ring.start == 7 && ring.end == 7 && ring.capacity == 0)
    #expect(ring.variableLength(at: 7, below: .max) == nil)
  }

  @Test func givesMemoryBackOnlyWhenEmpty() {
    var ring = ByteRing()
    ring.append([1, 2, 3].span)
    ring.releaseStorage()
    #expect(ring.capacity == 256 && bytes(ring, 0..<3) == [1, 2, 3])
    ring.dropFirst(to: 3)
    ring.releaseStorage()
    #expect(ring.capacity == 0 && ring.start == 3)
    ring.append([4].span)
    #expect(ring[3] == 4)
  }

  @Test func goesOnBehindItsEnd() {
    var ring = ByteRing()
    ring.append([1, 2, 3].span)
    ring.dropFirst(to: 1_000)
    #expect(ring.start == 1_000 && ring.end == 1_000)
    ring.write([5, 6].span, at: 1_004)
    ring.write([1, 2, 3, 4].span, at: 1_000)
    #expect(bytes(ring, 1_000..<1_006) == [1, 2, 3, 4, 5, 6])
    ring.dropFirst(to: 3)
    #expect(ring.start == 1_000)
  }

  @Test(arguments: [0, 63, 64, 16_383, 16_384, (1 << 30) - 1, 1 << 30, (1 << 62) - 1] as [UInt64])
  func readsTheNumbersItWrites(value: UInt64) {
    for start: UInt64 in 250..<258 {
      var ring = ByteRing(start: start)
      ring.append(variableLength: value)
      let width = variableLengthWidth(value)
      #expect(ring.end == start + UInt64(width))
      let read = ring.variableLength(at: start, below: ring.end)
      #expect(read?.value == value && read?.width == width)
      #expect(ring.variableLength(at: start, below: ring.end - 1) == nil)
    }
  }

  @Test func prefixesBytesWithTheirNumber() {
    var ring = ByteRing()
    ring.append(lengthAnd: [9, 8, 7].span)
    #expect(bytes(ring, 0..<4) == [3, 9, 8, 7])
  }

  @Test func copiesIntoAnOutput() {
    var ring = ByteRing(start: 254)
    ring.append([1, 2, 3, 4].span)
    let copy = [UInt8](capacity: 4) { (output: inout OutputSpan<UInt8>) in
      ring.copy(254..<258, into: &output)
    }
    #expect(copy == [1, 2, 3, 4])
  }

  /// Against an array of the whole stream.
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func behavesAsAnArray(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var ring = ByteRing()
    var model: [UInt8] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let size = Int.random(in: 0..<400, using: &generator)
        let part = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
        ring.append(part.span)
        model += part
      case 1:
        let offset = UInt64.random(in: ring.start...ring.end, using: &generator)
        let part = (0..<Int.random(in: 0..<90, using: &generator)).map { UInt8($0) }
        ring.write(part.span, at: offset)
        let overlap = min(part.count, model.count - Int(offset))
        model.replaceSubrange(Int(offset)..<(Int(offset) + overlap), with: part)
      default:
        let offset = UInt64.random(in: ring.start...ring.end, using: &generator)
        ring.dropFirst(to: offset)
      }
      let isRight =
        Int(ring.end) == model.count
        && bytes(ring, ring.start..<ring.end) == Array(model[Int(ring.start)...])
      #expect(isRight, "seed \(seed), step \(step)")
      #expect(ring.capacity <= 2 * max(256, model.count))
    }
  }
}
