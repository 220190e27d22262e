import ChatTransport
import Primitives

@testable import DatagramPeer

/// Takes down what a receiver delivers.
struct RecordingSink: MessageSink {
  struct Message: Equatable {
    var channel: UInt8
    var delivery: Delivery
    var sequence: UInt64
    var payload: [UInt8]
  }

  var messages: [Message] = []

  mutating func append(
    _ payload: Span<UInt8>, peer: PeerID, channel: UInt8, delivery: Delivery, sequence: UInt64?
  ) {
    messages.append(
      Message(
        channel: channel, delivery: delivery, sequence: sequence ?? .max,
        payload: payload.copy(0..<payload.count)))
  }
}

/// Packets of the unreliable kinds for tests of both directions.
enum UnreliableTraffic {
  /// All frames in `packet`; `nil` where something else is in it.
  static func frames(of packet: [UInt8]) -> [UnreliableFrame]? {
    var offset = 0
    var frames: [UnreliableFrame] = []
    while offset < packet.count {
      guard let kind = packet.span.uint8(at: &offset), UnreliableFrame.isKind(kind),
        let frame = UnreliableFrame(kind: kind, parsing: packet.span, at: &offset)
      else { return nil }
      frames.append(frame)
    }
    return frames
  }

  /// The next packet of `sender`, with so much room for frames.
  static func packet(
    of sender: inout UnreliableSender, room: Int, at now: Instant = .zero
  ) -> (bytes: [UInt8], written: [UnreliableSender.Written]) {
    var written: [UnreliableSender.Written] = []
    let bytes = [UInt8](capacity: room) { (output: inout OutputSpan<UInt8>) in
      while let frame = sender.write(into: &output, room: room - output.count, at: now) {
        written.append(frame)
      }
    }
    return (bytes, written)
  }

  /// A fragment that stands for bytes of `message`.
  static func fragment(
    of message: [UInt8], _ range: Range<Int>, sequence: UInt64, channel: UInt8 = 0,
    isSequenced: Bool = false, totalSize: Int? = nil
  ) -> [UInt8] {
    [UInt8](capacity: 32 + range.count) { (output: inout OutputSpan<UInt8>) in
      UnreliableFrame.emitFragment(
        key: UnreliableKey(channel: channel, isSequenced: isSequenced), sequence: sequence,
        totalSize: totalSize ?? message.count, offset: range.lowerBound,
        bytes: message.span.extracting(range), into: &output)
    }
  }

  static func whole(
    _ payload: [UInt8], sequence: UInt64, channel: UInt8 = 0, isSequenced: Bool = false
  ) -> [UInt8] {
    [UInt8](capacity: 32 + payload.count) { (output: inout OutputSpan<UInt8>) in
      UnreliableFrame.emitWhole(
        key: UnreliableKey(channel: channel, isSequenced: isSequenced), sequence: sequence,
        payload: payload.span, into: &output)
    }
  }

  /// Hands all frames of a packet to `receiver`; what came of the last of them.
  @discardableResult
  static func feed(
    _ packet: [UInt8], to receiver: inout UnreliableReceiver, at now: Instant = .zero,
    _ sink: inout RecordingSink
  ) -> UnreliableReceiver.Taken? {
    var last: UnreliableReceiver.Taken?
    for frame in frames(of: packet) ?? [] {
      last = receiver.take(frame, of: packet.span, at: now, into: &sink)
    }
    return last
  }
}
