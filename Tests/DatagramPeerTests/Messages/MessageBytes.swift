import ChatTransport
import Primitives

@testable import DatagramPeer

/// Messages as they stand in packets, for tests of both directions.
enum MessageBytes {
  struct Content: Equatable {
    var stream: StreamKey
    var sequence: UInt64
    var payload: [UInt8]
  }

  /// All messages in the frames of `packet`; `nil` where something else is in it.
  static func contents(of packet: [UInt8]) -> [Content]? {
    var offset = 0
    var contents: [Content] = []
    while offset < packet.count {
      guard case .message(let frame) = Frame(parsing: packet.span, at: &offset) else { return nil }
      contents.append(
        Content(
          stream: frame.key, sequence: frame.sequence, payload: Array(packet[frame.payload])))
    }
    return contents
  }

  /// A packet with one message, and its frame.
  static func packet(
    _ delivery: Delivery, channel: UInt8 = 0, _ sequence: UInt64, _ payload: [UInt8]
  ) -> (bytes: [UInt8], frame: MessageFrame) {
    let bytes = WireBytes.written {
      MessageFrame.emit(
        delivery: delivery, channel: channel, sequence: sequence, payload: payload, into: &$0)
    }
    var offset = 0
    guard case .message(let frame) = Frame(parsing: bytes.span, at: &offset) else {
      preconditionFailure("what was just written can be read")
    }
    return (bytes, frame)
  }
}
