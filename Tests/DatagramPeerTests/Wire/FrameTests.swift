import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct FrameTests {
  private func parse(_ bytes: [UInt8]) -> (frame: Frame, size: Int)? {
    var offset = 0
    guard let frame = Frame(parsing: bytes.span, at: &offset) else { return nil }
    return (frame, offset)
  }

  private func emit(_ frame: Frame, of packet: [UInt8]) -> [UInt8] {
    WireBytes.written { output in
      switch frame {
      case .padding: output.append(Frame.Kind.padding)
      case .ping: output.append(Frame.Kind.ping)
      case .close(let code):
        output.append(Frame.Kind.close)
        output.append(code.rawValue)
      case .acknowledgement(let frame):
        _ = Acknowledgement.emit(
          ranges: frame.ranges, delay: frame.delay, upTo: 1_200, into: &output)
      case .message(let frame): emit(frame, of: packet, into: &output)
      case .chunk(let frame):
        StreamChunkFrame.emitHeader(
          isOrdered: frame.isOrdered, startsMessage: frame.startsMessage, channel: frame.channel,
          offset: frame.offset, length: frame.payload.count, into: &output)
        output.append(contentsOf: Array(packet[frame.payload]).span)
      case .skip(let frame): frame.emit(into: &output)
      case .window(let frame): frame.emit(into: &output)
      case .streamWindow(let frame): frame.emit(into: &output)
      }
    }
  }

  @Test(
    "Each kind is read, and asks for an acknowledgement or not",
    arguments: [
      ("00", Frame.padding, false), ("01", .ping, true), ("03 00", .close(.goodbye), false),
      ("03 01", .close(.refused), false),
      ("02 05 07 00 01", .acknowledgement(.init(delay: .microseconds(7), ranges: [4...5])), false),
    ])
  func kinds(hex: String, frame: Frame, isAckEliciting: Bool) throws {
    let bytes = WireBytes.parsed(hex: hex)
    let (parsed, size) = try #require(parse(bytes))
    #expect(parsed == frame)
    #expect(size == bytes.count)
    #expect(parsed.isAckEliciting == isAckEliciting)
    #expect(emit(parsed, of: bytes) == bytes)
  }

  private func emit(
    _ frame: UnreliableFrame, of packet: [UInt8], into output: inout OutputSpan<UInt8>
  ) {
    let payload = Array(packet[frame.bytes])
    if frame.isWhole {
      UnreliableFrame.emitWhole(
        key: frame.key, sequence: frame.sequence, payload: payload.span, into: &output)
    } else {
      output.append(UnreliableFrame.Kind.fragment | (frame.key.isSequenced ? 1 : 0))
      output.append(frame.key.channel)
      output.append(variableLength: frame.sequence)
      output.append(variableLength: UInt64(frame.totalSize))
      output.append(variableLength: UInt64(frame.offset))
      output.append(variableLength: UInt64(payload.count))
      output.append(contentsOf: payload.span)
    }
  }

  @Test("Unknown kinds and close codes are refused")
  func unknown() {
    let rest = [UInt8](repeating: 0, count: 40)
    let known = (UInt8.min...UInt8.max).filter { parse([$0] + rest) != nil }
    // Of a fragment and a skip of nothing no sense can be made.
    #expect(
      known == [0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x20, 0x21, 0x24, 0x25, 0x2A, 0x2C, 0x2D])
    let codes = (UInt8.min...UInt8.max).filter { parse([Frame.Kind.close, $0]) != nil }
    #expect(codes == [0, 1, 2])
  }

  @Test("Damaged and random bytes are read as what they say, or not at all")
  func damaged() {
    let frames = [
      "03 01", "02 4064 03 02 00 01 02 00 00", "10 00 00 00", "11 05 4400 05 68656c6c6f",
      "14 07 02 4100 20 03 616263", "26 ff c000000100000000 03 616263", "21 02 40 00 616263",
      "28 01 05 4064 03 02", "2a 80010000", "2d 03 4400",
    ]
    var generator = SplitMix64(seed: 2)
    let noise = (0..<3_000).map { index in
      [UInt8(index % 48)] + WireBytes.random(count: index % 40, from: &generator)
    }
    for bytes in frames.flatMap({ WireBytes.damaged(WireBytes.parsed(hex: $0)) }) + noise {
      guard let (frame, size) = parse(bytes) else { continue }
      #expect(size <= bytes.count)
      // Numbers may have been longer than needed, and a length may have been left away: what is
      // said has to come back, and not its form.
      let again = emit(frame, of: bytes)
      guard let second = parse(again)?.frame else {
        Issue.record("no frame any more: \(WireBytes.hex(bytes))")
        continue
      }
      #expect(emit(second, of: again) == again, "\(WireBytes.hex(bytes))")
    }
  }
}
