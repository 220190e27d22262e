/// Frames on a transport that keeps messages apart: one frame is one message, and every byte of
/// its text comes back as it was.
extension ChatFrame {
  /// How many bytes the frame takes.
  public var encodedByteCount: Int {
    switch self {
    case .iam(let name): Self.verbByteCount + name.text.utf8.count
    case .msg(let text): Self.verbByteCount + text.count
    }
  }

  /// The bytes of the frame. Throws `textTooLong` alone.
  public func encoded() throws(ChatFrameError) -> [UInt8] {
    try checkSize()
    return [UInt8](capacity: encodedByteCount) { (output: inout OutputSpan<UInt8>) in
      write(to: &output)
    }
  }

  /// Writes the frame into `output`, which has room for `encodedByteCount` bytes.
  ///
  /// Throws `textTooLong` alone, and has then written nothing.
  public func encode(into output: inout OutputSpan<UInt8>) throws(ChatFrameError) {
    try checkSize()
    precondition(output.freeCapacity >= encodedByteCount, "the buffer has room for the frame")
    write(to: &output)
  }

  /// Reads a message that nobody vouches for: it is split at its first colon, and nothing behind
  /// that means anything.
  public init(decoding message: Span<UInt8>) throws(ChatFrameError) {
    switch try Verb(startOf: message) {
    case .iam:
      self = .iam(try Self.name(in: message))
    case .msg:
      self = .msg(try Self.text(in: message, upTo: message.count))
    }
  }

  private func checkSize() throws(ChatFrameError) {
    guard case .msg(let text) = self, text.count > Self.maximumTextByteCount else { return }
    throw .textTooLong(bytes: text.count, limit: Self.maximumTextByteCount)
  }

  private func write(to output: inout OutputSpan<UInt8>) {
    switch self {
    case .iam(let name):
      output.append(copying: "iam:".utf8)
      output.append(copying: name.text.utf8)
    case .msg(let text):
      output.append(copying: "msg:".utf8)
      output.append(copying: text)
    }
  }
}

/// What stands in front of a frame's first colon.
enum Verb {
  case iam
  case msg

  /// Reads the verb that `frame` starts with, exactly: small letters, and nothing in front.
  init(startOf frame: Span<UInt8>) throws(ChatFrameError) {
    if frame.starts(with: "iam:") {
      self = .iam
    } else if frame.starts(with: "msg:") {
      self = .msg
    } else {
      guard !frame.isEmpty else { throw .empty }
      guard let colon = frame.firstColon else { throw .missingColon(bytes: frame.count) }
      throw .unknownVerb(start: frame.copy(0..<min(colon, 8)), length: colon)
    }
  }
}

/// What all decoders do with the rest, once they know where a frame ends.
extension ChatFrame {
  static func name(in frame: Span<UInt8>) throws(ChatFrameError) -> ChatName {
    do throws(ChatNameError) {
      return try ChatName(bytes: frame.extracting(verbByteCount..<frame.count))
    } catch {
      throw .invalidName(error)
    }
  }

  static func text(in frame: Span<UInt8>, upTo end: Int) throws(ChatFrameError) -> [UInt8] {
    let size = end - verbByteCount
    guard size <= maximumTextByteCount else {
      throw .textTooLong(bytes: size, limit: maximumTextByteCount)
    }
    return frame.copy(verbByteCount..<end)
  }
}
