/// Frames that stand alone in a datagram, as `nc -u` and similar tools send them: without a header,
/// and with the line end that was typed.
extension ChatFrame {
  /// Whether a datagram starts with `iam:` or `msg:`, and so is a bare one. Framed datagrams of the
  /// peer protocol start with a byte that is not ASCII.
  public static func isBare(_ datagram: Span<UInt8>) -> Bool {
    datagram.starts(with: "iam:") || datagram.starts(with: "msg:")
  }

  /// Reads a bare datagram that nobody vouches for.
  ///
  /// It is a message in which exactly one line end, LF or CRLF, behind a text belongs to the tool
  /// and not to the text.
  public init(bareDatagram datagram: Span<UInt8>) throws(ChatFrameError) {
    switch try Verb(startOf: datagram) {
    case .iam:
      self = .iam(try Self.name(in: datagram))
    case .msg:
      self = .msg(try Self.text(in: datagram, upTo: datagram.endWithoutLineEnd))
    }
  }
}
