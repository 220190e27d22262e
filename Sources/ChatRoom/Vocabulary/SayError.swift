public import ChatTransport

/// Why a line was not said. Nothing of it was sent, and it has used up no sequence number.
public enum SayError: Error, Hashable, Sendable {
  case notJoined
  /// The text has `size` bytes, and at most `limit` can be carried in one record.
  case tooLong(size: Int, limit: Int)
  case transport(SendError)
}

extension SayError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notJoined: "the room is not joined"
    case .tooLong(let size, let limit):
      "the text has \(size) bytes, and at most \(limit) can be said at once"
    case .transport(let error): "\(error)"
    }
  }
}
