import ChatTransport
import Primitives

/// What a data packet carries, one behind the other to its end; Docs/WireFormat.md, "Frames".
enum Frame: Equatable {
  case padding
  case ping
  case acknowledgement(Acknowledgement)
  case close(CloseCode)
  case message(MessageFrame)

  enum Kind {
    static let padding: UInt8 = 0x00
    static let ping: UInt8 = 0x01
    static let acknowledgement: UInt8 = 0x02
    static let close: UInt8 = 0x03
    /// The two lowest bits are the delivery.
    static let message: UInt8 = 0x10
  }

  /// Why a connection is closed, as it stands on the wire.
  enum CloseCode: UInt8, Sendable {
    case goodbye = 0
    case refused = 1
  }

  /// Whether a packet with this frame is to be acknowledged (RFC 9002, section 2).
  var isAckEliciting: Bool {
    switch self {
    case .ping, .message: true
    case .padding, .acknowledgement, .close: false
    }
  }

  /// Reads the frame at `offset` and leaves `offset` behind it; `nil` where it is malformed or of
  /// an unknown kind, which makes the whole packet worthless.
  init?(parsing packet: Span<UInt8>, at offset: inout Int) {
    guard let kind = packet.uint8(at: &offset) else { return nil }
    switch kind {
    case Kind.padding: self = .padding
    case Kind.ping: self = .ping
    case Kind.acknowledgement:
      guard let frame = Acknowledgement(parsing: packet, at: &offset) else { return nil }
      self = .acknowledgement(frame)
    case Kind.close:
      guard let code = packet.uint8(at: &offset).flatMap(CloseCode.init) else { return nil }
      self = .close(code)
    case Kind.message...(Kind.message | 0b11):
      guard let delivery = Delivery(rawValue: kind & 0b11),
        let frame = MessageFrame(delivery: delivery, parsing: packet, at: &offset)
      else { return nil }
      self = .message(frame)
    default: return nil
    }
  }
}

/// A whole message in one frame. A message that is larger than a datagram will come in frames of
/// another kind, whose numbers 0x14 to 0x17 are kept for that.
struct MessageFrame: Equatable {
  var delivery: Delivery
  var channel: UInt8
  /// Its number among the messages of this channel and delivery, from 0 upwards.
  var sequence: UInt64
  /// Where the payload stands in the packet.
  var payload: Range<Int>

  /// The largest size of what stands before the payload, in bytes: kind, channel, sequence, length.
  static let maximumOverhead = 1 + 1 + 8 + 2

  init?(delivery: Delivery, parsing packet: Span<UInt8>, at offset: inout Int) {
    guard let channel = packet.uint8(at: &offset),
      let sequence = packet.variableLength(at: &offset),
      let length = packet.variableLength(at: &offset),
      let payload = packet.bytes(Int(length), at: &offset)
    else { return nil }
    self.delivery = delivery
    self.channel = channel
    self.sequence = sequence
    self.payload = payload
  }

  static func size(sequence: UInt64, payloadSize: Int) -> Int {
    2 + variableLengthWidth(sequence) + variableLengthWidth(UInt64(payloadSize)) + payloadSize
  }

  static func emit(
    delivery: Delivery, channel: UInt8, sequence: UInt64, payload: [UInt8],
    into output: inout OutputSpan<UInt8>
  ) {
    output.append(Frame.Kind.message | delivery.rawValue)
    output.append(channel)
    output.append(variableLength: sequence)
    output.append(variableLength: UInt64(payload.count))
    output.append(contentsOf: payload)
  }
}
