import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct UnreliableFrameTests {
  private func parse(_ bytes: [UInt8]) -> (frame: UnreliableFrame, size: Int)? {
    var offset = 0
    guard let kind = bytes.span.uint8(at: &offset), UnreliableFrame.isKind(kind),
      let frame = UnreliableFrame(kind: kind, parsing: bytes.span, at: &offset)
    else { return nil }
    return (frame, offset)
  }

  @Test("Whole messages come back as they were", arguments: [true, false])
  func whole(isSequenced: Bool) throws {
    let sequences: [UInt64] = [0, 63, 64, 16_384, variableLengthMaximum]
    for (sequence, size) in zip(sequences, [0, 1, 64, 900, 1_100]) {
      let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let bytes = UnreliableTraffic.whole(
        payload, sequence: sequence, channel: 200, isSequenced: isSequenced)
      #expect(
        bytes.count == UnreliableFrame.wholeSize(sequence: sequence, payloadSize: size))
      let (frame, end) = try #require(parse(bytes))
      #expect(end == bytes.count)
      #expect(frame.key == UnreliableKey(channel: 200, isSequenced: isSequenced))
      #expect(frame.sequence == sequence)
      #expect(frame.isWhole && frame.totalSize == size)
      #expect(Array(bytes[frame.bytes]) == payload)
    }
  }

  @Test("Fragments come back as they were, and fill the room that is there", arguments: 20...400)
  func fragments(room: Int) throws {
    let message = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 5) }
    for offset in [0, 63, 64, 16_384, 65_530] {
      let capacity = UnreliableFrame.fragmentCapacity(
        sequence: 70, totalSize: message.count, offset: offset, room: room)
      let count = min(capacity, message.count - offset)
      let bytes = UnreliableTraffic.fragment(
        of: message, offset..<(offset + count), sequence: 70, channel: 1, isSequenced: true)
      // One byte is left over where a longer fragment would need a longer length.
      #expect(bytes.count <= room && (bytes.count >= room - 1 || count < capacity))
      let (frame, end) = try #require(parse(bytes))
      #expect(end == bytes.count)
      #expect(frame.key == UnreliableKey(channel: 1, isSequenced: true))
      #expect(frame.offset == offset && frame.totalSize == 65_536 && frame.bytes.count == count)
    }
  }

  @Test(
    "What contradicts itself is malformed",
    arguments: [
      "10 00 00 05 01 02", "12 00 00 00", "13 00 00 00", "16 00 00 05 00 05 01 02 03 04 05",
      // A fragment: empty, beyond the end, starting at the end, and of too large a message.
      "14 00 00 05 00 00", "14 00 00 05 03 03 01 02 03", "14 00 00 05 05 01 01",
      "14 00 00 80 01 00 01 00 01 01", "14 00 00 00 00 00", "14 00 00 05 00 05 01 02 03 04",
    ])
  func malformed(hex: String) {
    #expect(parse(WireBytes.parsed(hex: hex)) == nil)
  }

  @Test("Damaged frames never trap and never reach beyond the packet")
  func damaged() {
    let message = [UInt8](repeating: 9, count: 40)
    for bytes in [
      UnreliableTraffic.whole(message, sequence: 300),
      UnreliableTraffic.fragment(of: message, 10..<25, sequence: 300),
    ] {
      for variant in WireBytes.damaged(bytes) {
        guard let (frame, end) = parse(variant) else { continue }
        #expect(end <= variant.count && frame.bytes.upperBound <= variant.count)
        #expect(frame.offset + frame.bytes.count <= frame.totalSize)
      }
    }
  }
}
