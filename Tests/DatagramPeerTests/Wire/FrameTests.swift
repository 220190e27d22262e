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
        _ = Acknowledgement.emit(ranges: frame.ranges, delay: frame.delay, into: &output)
      case .message(let frame):
        MessageFrame.emit(
          delivery: frame.delivery, channel: frame.channel, sequence: frame.sequence,
          payload: Array(packet[frame.payload]), into: &output)
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

  @Test("Messages of each delivery come back as they were", arguments: Delivery.allCases)
  func messages(delivery: Delivery) throws {
    let sequences: [UInt64] = [
      0, 63, 64, 16_383, 16_384, (1 << 30) - 1, 1 << 30, variableLengthMaximum,
    ]
    for (sequence, size) in zip(sequences, [0, 1, 63, 64, 500, 1_000, 1_175, 1_175]) {
      let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let bytes = WireBytes.written {
        MessageFrame.emit(
          delivery: delivery, channel: 200, sequence: sequence, payload: payload, into: &$0)
      }
      #expect(bytes.count == MessageFrame.size(sequence: sequence, payloadSize: size))
      #expect(bytes.count <= MessageFrame.maximumOverhead + size)
      let (parsed, end) = try #require(parse(bytes))
      guard case .message(let frame) = parsed else {
        Issue.record("no message: \(parsed)")
        continue
      }
      #expect(end == bytes.count)
      #expect(frame.delivery == delivery)
      #expect(frame.channel == 200)
      #expect(frame.sequence == sequence)
      #expect(Array(bytes[frame.payload]) == payload)
      #expect(parsed.isAckEliciting)
    }
  }

  @Test("A message of the largest size fits with the largest header")
  func largestMessage() {
    let size =
      PacketHeader.maximumSize
      + MessageFrame.size(
        sequence: variableLengthMaximum, payloadSize: ProtocolLimits.messageSize)
    #expect(size == ProtocolLimits.datagramSize)
  }

  @Test("A payload longer than what is there is refused")
  func tooLong() {
    for length: UInt64 in [3, 63, 64, 70_000, 1 << 40, variableLengthMaximum] {
      let bytes = WireBytes.written { output in
        output.append(Frame.Kind.message)
        output.append(UInt8(0))
        output.append(variableLength: 5)
        output.append(variableLength: length)
        output.append(contentsOf: [1, 2])
      }
      #expect(parse(bytes) == nil, "length \(length)")
    }
  }

  @Test("Unknown kinds and close codes are refused")
  func unknown() {
    let rest = [UInt8](repeating: 0, count: 40)
    let known = (UInt8.min...UInt8.max).filter { parse([$0] + rest) != nil }
    #expect(known == [0x00, 0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x13])
    let codes = (UInt8.min...UInt8.max).filter { parse([Frame.Kind.close, $0]) != nil }
    #expect(codes == [0, 1])
  }

  @Test("Damaged and random bytes are read as what they say, or not at all")
  func damaged() {
    let frames = [
      "03 01", "02 4064 03 02 00 01 02 00 00", "10 00 00 00", "13 05 4400 05 68656c6c6f",
      "12 ff c000000100000000 03 616263",
    ]
    var generator = SplitMix64(seed: 2)
    let noise = (0..<3_000).map { index in
      [UInt8(index % 24)] + WireBytes.random(count: index % 40, from: &generator)
    }
    for bytes in frames.flatMap({ WireBytes.damaged(WireBytes.parsed(hex: $0)) }) + noise {
      guard let (frame, size) = parse(bytes) else { continue }
      #expect(size <= bytes.count)
      // Numbers may have been longer than needed, so it is what they say that has to come back.
      let again = emit(frame, of: bytes)
      #expect(again.count <= size)
      guard case .message(let message) = frame else {
        #expect(parse(again)?.frame == frame, "\(WireBytes.hex(bytes))")
        continue
      }
      guard case .message(let second) = parse(again)?.frame else {
        Issue.record("no message any more: \(WireBytes.hex(bytes))")
        continue
      }
      #expect(Array(again[second.payload]) == Array(bytes[message.payload]))
      #expect(second.sequence == message.sequence)
    }
  }
}
