import Primitives
import Testing

@testable import DatagramPeer

struct MessageWalkTests {
  private func run(_ sizes: [Int]) -> [UInt8] {
    WireBytes.written(capacity: sizes.reduce(0, +) + sizes.count * 8) { output in
      for size in sizes {
        output.append(variableLength: UInt64(size))
        // What a payload holds may look like a length.
        output.append(repeating: UInt8(truncatingIfNeeded: size), count: size)
      }
    }
  }

  @Test("Counts the whole messages, and finds where the next one starts and ends")
  func walks() {
    let bytes = run([3, 0, 70, 5])
    let walk = MessageWalk(over: bytes.span, from: 0)
    #expect(walk.count == 4 && walk.end == bytes.count && walk.openEnd == nil)
    let cut = MessageWalk(over: bytes.span.extracting(0..<(bytes.count - 1)), from: 0)
    #expect(cut.count == 3 && cut.end == bytes.count - 6 && cut.openEnd == bytes.count)
  }

  @Test("A length that is cut off leaves the end open")
  func cutLength() {
    let bytes = run([3, 70])
    let walk = MessageWalk(over: bytes.span.extracting(0..<5), from: 0)
    #expect(walk.count == 1 && walk.end == 4 && walk.openEnd == nil)
  }

  @Test("A walk from within goes on from there")
  func start() {
    let bytes = run([3, 4, 5])
    let walk = MessageWalk(over: bytes.span, from: 4)
    #expect(walk.count == 2)
  }

  @Test("Bytes and ring are walked alike, whatever the sizes and the end", arguments: 1...8)
  func agree(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    // Mostly runs of one size, which is what strides are made for, and around each width.
    var sizes: [Int] = []
    while sizes.count < 60 {
      let size = [0, 1, 2, 62, 63, 64, 65, 255, 300].randomElement(using: &generator) ?? 0
      sizes += Array(repeating: size, count: Int.random(in: 1...8, using: &generator))
    }
    let bytes = run(sizes)
    var ring = ByteRing(start: 1_000)
    ring.append(bytes.span)
    var isEqual = true
    for end in 0...bytes.count {
      let flat = MessageWalk(over: bytes.span.extracting(0..<end), from: 0)
      let ringed = MessageWalk(over: ring, in: 1_000..<(1_000 + UInt64(end)))
      isEqual =
        isEqual && flat.count == ringed.count && flat.end == ringed.end
        && flat.openEnd == ringed.openEnd
    }
    #expect(isEqual, "seed \(seed)")
    let all = MessageWalk(over: bytes.span, from: 0)
    #expect(all.count == sizes.count, "seed \(seed)")
  }

  /// Whether a stride taken from the message in `range` of `bytes` fits each of `places`.
  private func fits(
    _ bytes: [UInt8], from range: Range<Int>, at places: [Int], upTo end: Int? = nil
  ) -> [Bool] {
    let span = bytes.span
    var stride = MessageStride()
    stride.note(span, from: range.lowerBound, to: range.upperBound)
    return places.map { stride.fits(span.extracting(0..<(end ?? bytes.count)), at: $0) }
  }

  @Test("A stride fits messages of its size that are whole, and no others")
  func stride() {
    let bytes = run([5, 5, 4, 5])
    #expect(fits(bytes, from: 0..<6, at: [6, 12, 17]) == [true, false, true])
    #expect(fits(bytes, from: 0..<6, at: [17], upTo: 22) == [false])
  }

  @Test("No stride is taken from a message without payload, or one with a long length")
  func noStride() {
    #expect(fits(run([0, 0]), from: 0..<1, at: [1]) == [false])
    #expect(fits(run([20_000, 20_000]), from: 0..<20_004, at: [20_004]) == [false])
  }
}
