import ChatTransport
import Primitives

/// What a data packet carries, one behind the other to its end; Docs/WireFormat.md, "Frames".
enum Frame: Equatable {
  case padding
  case ping
  case acknowledgement(Acknowledgement)
  case close(CloseCode)
  /// A message of one of the unreliable kinds, or a fragment of one.
  case message(UnreliableFrame)
  case chunk(StreamChunkFrame)
  case skip(SkipFrame)
  case window(WindowFrame)
  case streamWindow(StreamWindowFrame)

  enum Kind {
    static let padding: UInt8 = 0x00
    static let ping: UInt8 = 0x01
    static let acknowledgement: UInt8 = 0x02
    static let close: UInt8 = 0x03
  }

  /// Why a connection is closed, as it stands on the wire.
  enum CloseCode: UInt8, Sendable {
    case goodbye = 0
    /// Somebody else has this identity.
    case refused = 1
    /// The other side broke the protocol.
    case violation = 2
  }

  /// Whether a packet with this frame is to be acknowledged (RFC 9002, section 2).
  var isAckEliciting: Bool {
    switch self {
    case .padding, .acknowledgement, .close: false
    case .ping, .message, .chunk, .skip, .window, .streamWindow: true
    }
  }

  /// Reads the frame at `offset` and leaves `offset` behind it; `nil` where it is malformed or of
  /// an unknown kind, which makes the whole packet worthless.
  init?(parsing packet: Span<UInt8>, at offset: inout Int) {
    guard let kind = packet.uint8(at: &offset) else { return nil }
    switch kind {
    case StreamFrameKind.chunks:
      guard let frame = StreamChunkFrame(kind: kind, parsing: packet, at: &offset)
      else { return nil }
      self = .chunk(frame)
    case Kind.acknowledgement:
      guard let frame = Acknowledgement(parsing: packet, at: &offset) else { return nil }
      self = .acknowledgement(frame)
    case Kind.padding:
      // A whole run at once: there may be more than a thousand.
      while packet.count - offset >= 8, packet.word(at: offset) == 0 { offset += 8 }
      while offset < packet.count, packet[offset] == Kind.padding { offset += 1 }
      self = .padding
    case Kind.ping: self = .ping
    case Kind.close:
      guard let code = packet.uint8(at: &offset).flatMap(CloseCode.init) else { return nil }
      self = .close(code)
    case _ where UnreliableFrame.isKind(kind):
      guard let frame = UnreliableFrame(kind: kind, parsing: packet, at: &offset)
      else { return nil }
      self = .message(frame)
    case StreamFrameKind.skips:
      guard let frame = SkipFrame(kind: kind, parsing: packet, at: &offset) else { return nil }
      self = .skip(frame)
    case StreamFrameKind.window:
      guard let frame = WindowFrame(parsing: packet, at: &offset) else { return nil }
      self = .window(frame)
    case StreamFrameKind.streamWindows:
      guard let frame = StreamWindowFrame(kind: kind, parsing: packet, at: &offset)
      else { return nil }
      self = .streamWindow(frame)
    default: return nil
    }
  }
}
