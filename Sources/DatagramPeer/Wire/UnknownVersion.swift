import Primitives

/// A handshake packet of another version. Whatever the version, a call begins with its kind, the
/// version and eight bytes that name it; Docs/WireFormat.md, "Versions".
struct UnknownVersion {
  /// Whether it is a call, which may be answered.
  var isCall: Bool
  /// The caller's name for the connection to be.
  var source: ConnectionID
  /// The size of the datagram, in bytes.
  var size: Int

  init?(parsing datagram: Span<UInt8>) {
    var offset = 0
    guard let first = datagram.uint8(at: &offset), let version = datagram.uint8(at: &offset),
      version != HandshakePacket.version, first != HandshakePacket.versionsKind,
      let source = datagram.uint64(at: &offset)
    else { return nil }
    isCall = HandshakePacket.isCall(first)
    self.source = ConnectionID(rawValue: source)
    size = datagram.count
  }
}
