import Primitives
import Testing

@testable import DatagramPeer

struct StreamFrameTests {
  private func written(_ write: (inout OutputSpan<UInt8>) -> Void) -> [UInt8] {
    [UInt8](capacity: 64) { (output: inout OutputSpan<UInt8>) in write(&output) }
  }

  private func chunk(_ bytes: [UInt8]) -> (frame: StreamChunkFrame, end: Int)? {
    let span = bytes.span
    var position = 1
    return StreamChunkFrame(kind: bytes[0], parsing: span, at: &position).map { ($0, position) }
  }

  private func skip(_ bytes: [UInt8]) -> SkipFrame? {
    let span = bytes.span
    var position = 1
    return SkipFrame(kind: bytes[0], parsing: span, at: &position)
  }

  @Test(arguments: [true, false], [true, false])
  func readsTheChunksItWrites(isOrdered: Bool, startsMessage: Bool) throws {
    for length in [Int?.none, 3] {
      let bytes = written { (output: inout OutputSpan<UInt8>) in
        StreamChunkFrame.emitHeader(
          isOrdered: isOrdered, startsMessage: startsMessage, channel: 9, offset: 300,
          length: length, into: &output)
        for byte: UInt8 in 0..<5 { output.append(byte) }
      }
      let (frame, end) = try #require(chunk(bytes))
      let header = StreamChunkFrame.headerSize(offset: 300, length: length)
      #expect(frame.isOrdered == isOrdered && frame.startsMessage == startsMessage)
      #expect(frame.channel == 9 && frame.offset == 300)
      #expect(frame.payload == header..<(header + (length ?? 5)) && end == frame.payload.upperBound)
    }
  }

  @Test func refusesChunksThatAreEmptyOrCutOffOrTooFar() {
    #expect(chunk([0x20, 1, 5]) == nil)
    #expect(chunk([0x22, 1, 5, 0, 9]) == nil)
    #expect(chunk([0x22, 1, 5, 2, 9]) == nil)
    #expect(chunk([0x22, 1]) == nil)
    #expect(chunk([0x20] + [1] + [UInt8](repeating: 0xFF, count: 8) + [9]) == nil)
    #expect(chunk([0x22, 1, 5] + [UInt8](repeating: 0xFF, count: 8) + [9]) == nil)
  }

  @Test func readsTheSkipsItWrites() {
    let frame = SkipFrame(
      isOrdered: true, channel: 3, range: 70..<90_000, firstSequence: 64, count: 17)
    let bytes = written { (output: inout OutputSpan<UInt8>) in frame.emit(into: &output) }
    #expect(bytes.count == frame.size && skip(bytes) == frame)
    for end in 1..<bytes.count { #expect(skip(Array(bytes[..<end])) == nil) }
  }

  @Test func refusesSkipsOfNothingOrOfMoreMessagesThanBytes() {
    #expect(skip([0x28, 0, 0, 2, 0, 2]) != nil)
    #expect(skip([0x28, 0, 0, 2, 0, 3]) == nil)
    #expect(skip([0x28, 0, 0, 2, 0, 0]) == nil)
    #expect(skip([0x28, 0, 0, 0, 0, 0]) == nil)
    let far = [UInt8](repeating: 0xFF, count: 8)
    #expect(skip([0x28, 0] + far + [1, 0, 1]) == nil)
    #expect(skip([0x28, 0, 0, 1] + far + [1]) == nil)
  }

  @Test func readsTheWindowsItWrites() {
    let window = WindowFrame(limit: 1 << 19)
    var bytes = written { (output: inout OutputSpan<UInt8>) in window.emit(into: &output) }
    var position = 1
    #expect(bytes[0] == 0x2A && bytes.count == window.size)
    #expect(WindowFrame(parsing: bytes.span, at: &position) == window)
    #expect(WindowFrame(parsing: bytes.span, at: &position) == nil)
    let other = StreamWindowFrame(isOrdered: true, channel: 255, limit: 1 << 40)
    bytes = written { (output: inout OutputSpan<UInt8>) in other.emit(into: &output) }
    position = 1
    #expect(bytes[0] == 0x2D && bytes.count == other.size)
    #expect(StreamWindowFrame(kind: 0x2D, parsing: bytes.span, at: &position) == other)
    #expect(StreamWindowFrame(kind: 0x2D, parsing: bytes.span, at: &position) == nil)
  }
}
