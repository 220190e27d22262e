/// Why something is not what a room says, and where. Offsets count bytes from zero.
public enum RoomLineError: Error, Hashable, Sendable {
  /// There are no bytes.
  case empty
  /// There is neither a colon nor `has joined` or `has left` at the end of the `bytes` bytes.
  case unknownNotice(bytes: Int)
  /// The name at the start is not one.
  case invalidName(ChatNameError)
  /// The text is larger than `limit`.
  case textTooLong(bytes: Int, limit: Int)
}

extension RoomLineError: CustomStringConvertible {
  /// One line for a person, safe to print.
  public var description: String {
    switch self {
    case .empty:
      "an empty line: expected NAME:TEXT, NAME has joined or NAME has left"
    case .unknownNotice:
      "an unknown line: expected NAME:TEXT, NAME has joined or NAME has left"
    case .invalidName(let reason):
      "\(reason)"
    case .textTooLong(let bytes, let limit):
      "a text cannot be longer than \(limit) bytes, and this one has \(bytes)"
    }
  }
}
