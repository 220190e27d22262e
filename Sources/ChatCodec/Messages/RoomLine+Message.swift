/// What a room says, on a transport that keeps messages apart.
extension RoomLine {
  private static let joinedSuffix = " has joined"
  private static let leftSuffix = " has left"

  /// The bytes of the line, without a line end. Throws `textTooLong` alone.
  public func encoded() throws(RoomLineError) -> [UInt8] {
    switch self {
    case .joined(let name):
      return Array("\(name) has joined".utf8)
    case .left(let name):
      return Array("\(name) has left".utf8)
    case .said(let name, let text):
      try Self.checkSize(text.count)
      return Array("\(name):".utf8) + text
    }
  }

  /// Reads a message that nobody vouches for.
  ///
  /// A text comes back byte for byte. Behind a notice one line end, LF or CRLF, is let pass, since
  /// the classic server writes one.
  public init(decoding message: Span<UInt8>) throws(RoomLineError) {
    guard !message.isEmpty else { throw .empty }
    if let colon = message.firstColon {
      let text = (colon + 1)..<message.count
      try Self.checkSize(text.count)
      self = .said(try Self.name(in: message, upTo: colon), message.copy(text))
      return
    }
    let end = message.endWithoutLineEnd
    let notice = message.extracting(0..<end)
    if notice.ends(with: Self.joinedSuffix) {
      self = .joined(
        try Self.name(in: message, upTo: end - Self.joinedSuffix.utf8.count))
    } else if notice.ends(with: Self.leftSuffix) {
      self = .left(try Self.name(in: message, upTo: end - Self.leftSuffix.utf8.count))
    } else {
      throw .unknownNotice(bytes: message.count)
    }
  }

  private static func name(
    in message: Span<UInt8>, upTo end: Int
  ) throws(RoomLineError) -> ChatName {
    do throws(ChatNameError) {
      return try ChatName(bytes: message.extracting(0..<end))
    } catch {
      throw .invalidName(error)
    }
  }

  private static func checkSize(_ size: Int) throws(RoomLineError) {
    guard size > ChatFrame.maximumTextByteCount else { return }
    throw .textTooLong(bytes: size, limit: ChatFrame.maximumTextByteCount)
  }
}
