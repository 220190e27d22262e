import Primitives
import Testing

@testable import DatagramPeer

struct AcknowledgementTests {
  /// Reads what stands behind the frame's kind.
  private func parse(_ bytes: [UInt8]) -> Acknowledgement? {
    var offset = 0
    guard let frame = Acknowledgement(parsing: bytes.span, at: &offset) else { return nil }
    return offset == bytes.count ? frame : nil
  }

  private func numbers(_ values: UInt64...) -> [UInt8] {
    WireBytes.written { output in
      for value in values { output.append(variableLength: value) }
    }
  }

  private func emit(
    _ ranges: [ClosedRange<UInt64>], delay: Interval = .zero, room: Int = 1_200
  ) -> [UInt8] {
    WireBytes.written(capacity: room) {
      _ = Acknowledgement.emit(ranges: ranges, delay: delay, upTo: room, into: &$0)
    }
  }

  /// Descending ranges with at least one number between them.
  private func ranges(_ count: Int, from generator: inout SplitMix64) -> [ClosedRange<UInt64>] {
    var ranges: [ClosedRange<UInt64>] = []
    var upper: UInt64 = .random(in: (1 << 30)...variableLengthMaximum, using: &generator)
    for _ in 0..<count {
      let lower = upper - .random(in: 0...200, using: &generator)
      ranges.append(lower...upper)
      upper = lower - .random(in: 2...20_000, using: &generator)
    }
    return ranges
  }

  @Test("Ranges come back as they were", arguments: UInt64(0)..<30)
  func roundTrip(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let ranges = ranges(.random(in: 1...64, using: &generator), from: &generator)
    let delay = Interval.microseconds(.random(in: 0...9_999_999, using: &generator))
    let bytes = emit(ranges, delay: delay)
    #expect(bytes.first == Frame.Kind.acknowledgement)
    #expect(
      parse(Array(bytes.dropFirst())) == Acknowledgement(delay: delay, ranges: ranges),
      "seed \(seed)")
  }

  @Test(
    "Known bytes",
    arguments: [
      ("02 00 00 00 00", 0, [UInt64(0)...0]),
      ("02 05 00 00 05", 0, [0...5]),
      ("02 4064 03 02 00 01 02 00 00", 3, [100...100, 95...97, 93...93]),
      ("02 c000000100000000 80004e20 00 01", 20_000, [0xFFFF_FFFF...0x1_0000_0000]),
    ])
  func knownBytes(hex: String, microseconds: Int64, ranges: [ClosedRange<UInt64>]) {
    let bytes = WireBytes.parsed(hex: hex)
    #expect(emit(ranges, delay: .microseconds(microseconds)) == bytes)
    #expect(
      parse(Array(bytes.dropFirst()))
        == Acknowledgement(delay: .microseconds(microseconds), ranges: ranges))
  }

  @Test("A range that would count below zero is refused")
  func belowZero() {
    #expect(parse(numbers(4, 0, 0, 5)) == nil)
    #expect(parse(numbers(4, 0, 0, 4)) != nil)
    // The lowest so far is 2: the next range would end at 0, or below it.
    #expect(parse(numbers(4, 0, 1, 2, 0, 0)) != nil)
    #expect(parse(numbers(4, 0, 1, 2, 1, 0)) == nil)
    #expect(parse(numbers(4, 0, 1, 2, 0, 1)) == nil)
    #expect(parse(numbers(4, 0, 1, 4, 0, 0)) == nil)
    let most = variableLengthMaximum
    #expect(parse(numbers(most, 0, 1, most, most, most)) == nil)
    #expect(parse(numbers(most, 0, 1, 0, most, 0)) == nil)
    #expect(parse(numbers(most, 0, 1, 0, 0, most)) == nil)
  }

  @Test("64 ranges are read, and what claims more is refused before it is read")
  func rangeCount() {
    func bytes(furtherRanges: UInt64, present: Int) -> [UInt8] {
      WireBytes.written { output in
        for value in [1_000, 0, furtherRanges, 0] { output.append(variableLength: value) }
        for _ in 0..<present {
          output.append(variableLength: 0)
          output.append(variableLength: 0)
        }
      }
    }
    #expect(parse(bytes(furtherRanges: 63, present: 63))?.ranges.count == 64)
    #expect(parse(bytes(furtherRanges: 64, present: 64)) == nil)
    #expect(parse(bytes(furtherRanges: variableLengthMaximum, present: 10)) == nil)
    #expect(parse(bytes(furtherRanges: 10, present: 9)) == nil)
  }

  @Test("An absurd delay is cut to ten seconds, and a negative one written as none")
  func delays() {
    #expect(parse(numbers(1, variableLengthMaximum, 0, 0))?.delay == .seconds(10))
    #expect(parse(numbers(1, 10_000_001, 0, 0))?.delay == .seconds(10))
    #expect(parse(numbers(1, 9_999_999, 0, 0))?.delay == .microseconds(9_999_999))
    let written = emit([7...9], delay: .seconds(-3))
    #expect(parse(Array(written.dropFirst()))?.delay == .zero)
    let longest = emit([7...9], delay: Interval(nanoseconds: .max))
    #expect(parse(Array(longest.dropFirst()))?.delay == .seconds(10))
  }

  @Test("With little room the largest ranges are kept", arguments: 0...90)
  func littleRoom(room: Int) {
    var generator = SplitMix64(seed: 9)
    let ranges = ranges(64, from: &generator)
    let bytes = emit(ranges, room: room)
    #expect(bytes.count <= room)
    guard !bytes.isEmpty else {
      // Kind, 8 bytes, delay, count, and two bytes for up to 200.
      #expect(room < 13)
      return
    }
    let kept = parse(Array(bytes.dropFirst()))?.ranges ?? []
    #expect(kept == Array(ranges[..<kept.count]))
    // The next one would have needed at most four bytes for its gap and two for its length.
    #expect(room - bytes.count < 6)
  }

  @Test("More than 64 ranges are never written")
  func neverMoreThanRead() {
    let ranges = stride(from: UInt64(1_000), to: 800, by: -2).map { $0...$0 }
    let kept = parse(Array(emit(ranges).dropFirst()))?.ranges
    #expect(kept == Array(ranges[..<64]))
  }

  @Test("The 1,200 bytes of a datagram bind even where the buffer is larger")
  func datagramSize() {
    let filled = WireBytes.written(capacity: 2_000) { output in
      for _ in 0..<1_195 { output.append(Frame.Kind.padding) }
      let fits = Acknowledgement.emit(
        ranges: [300...300, 5...5], delay: .zero, upTo: 1_200, into: &output)
      #expect(!fits)
      let fitsAlone = Acknowledgement.emit(
        ranges: [9...9, 5...5], delay: .zero, upTo: 1_200, into: &output)
      #expect(fitsAlone)
    }
    #expect(filled.count == 1_200)
  }
}
