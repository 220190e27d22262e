/// Why something cannot be a name, and where in it the reason is. Offsets count bytes from zero.
public enum ChatNameError: Error, Hashable, Sendable {
  /// There is nothing to see: no character, or only white space and joiners.
  case empty
  /// The name, without white space at its ends, has more bytes of UTF-8 than `limit`.
  case tooLong(bytes: Int, limit: Int)
  /// A colon, which ends the name in `NAME:TEXT`.
  case containsColon(at: Int)
  /// A control character, a line end, or a character that changes the direction of writing.
  case controlCharacter(Unicode.Scalar, at: Int)
  /// A byte that is not part of valid UTF-8.
  case invalidUTF8(at: Int)
}

extension ChatNameError: CustomStringConvertible {
  /// One line for a person, safe to print: what was refused is named by its number.
  public var description: String {
    switch self {
    case .empty:
      "a name cannot be empty"
    case .tooLong(let bytes, let limit):
      "a name cannot be longer than \(limit) bytes of UTF-8, and this one has \(bytes)"
    case .containsColon(let offset):
      "a name cannot contain a colon (at byte \(offset))"
    case .controlCharacter(let scalar, let offset):
      "a name cannot contain a control character (\(scalar.codePointName) at byte \(offset))"
    case .invalidUTF8(let offset):
      "a name has to be valid UTF-8, and is not at byte \(offset)"
    }
  }
}
