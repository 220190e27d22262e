/// A name that somebody may bear in a room.
///
/// It is not empty, has at most 64 bytes of UTF-8, and holds no colon, so that `NAME:TEXT` can be
/// taken apart again, and no character that would break or turn round the line it stands in. Names
/// do not identify anybody: two people may bear the same one.
public struct ChatName: Hashable, Sendable {
  /// The largest size of a name, in bytes of UTF-8.
  public static let maximumByteCount = 64

  /// The name without white space at its ends, its bytes otherwise as they came.
  ///
  /// Names compare as strings do: `é` equals itself however it is encoded.
  public let text: String

  /// Takes the name in `text`, without the white space around it.
  ///
  /// Offsets in errors count the bytes of `text` before anything is trimmed.
  public init(_ text: String) throws(ChatNameError) {
    let (trimmed, start) = text.trimmed()
    try self.init(checking: trimmed, from: start)
  }

  /// Takes the name in bytes that nobody vouches for, without the white space around it.
  ///
  /// Offsets in errors count from the first of `bytes`.
  public init(bytes: Span<UInt8>) throws(ChatNameError) {
    try self.init(Self.decode(bytes))
  }

  /// Takes as much of `text` as a name can hold, cut between two characters as a reader sees them:
  /// for a name that was given for other purposes, such as the operating system's user name.
  ///
  /// What is kept has to be valid. Where already the first character is larger than a name, the
  /// error is `tooLong`.
  public static func fitting(_ text: String) throws(ChatNameError) -> ChatName {
    let (trimmed, start) = text.trimmed()
    var kept = ""
    var byteCount = 0
    for character in String(trimmed) {
      byteCount += character.utf8.count
      guard byteCount <= maximumByteCount else { break }
      kept.append(character)
    }
    guard !kept.isEmpty || trimmed.isEmpty else {
      throw .tooLong(bytes: byteCount, limit: maximumByteCount)
    }
    // Only the end may have got white space by the cut, so offsets still count from `start`.
    return try ChatName(checking: kept.trimmed().text, from: start)
  }

  private init(
    checking trimmed: Substring.UnicodeScalarView, from start: Int
  ) throws(ChatNameError) {
    guard !trimmed.isEmpty else { throw .empty }
    let text = String(trimmed)
    guard text.utf8.count <= Self.maximumByteCount else {
      throw .tooLong(bytes: text.utf8.count, limit: Self.maximumByteCount)
    }
    var offset = start
    var showsSomething = false
    for scalar in trimmed {
      guard scalar != ":" else { throw .containsColon(at: offset) }
      guard !scalar.disturbsLine else { throw .controlCharacter(scalar, at: offset) }
      showsSomething = showsSomething || !scalar.properties.isDefaultIgnorableCodePoint
      offset += UTF8.width(scalar)
    }
    guard showsSomething else { throw .empty }
    self.text = text
  }

  private static func decode(_ bytes: Span<UInt8>) throws(ChatNameError) -> String {
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw .invalidUTF8(at: error.byteOffsets.lowerBound)
    }
  }
}

extension ChatName: CustomStringConvertible {
  public var description: String { text }
}
