/// Why something is not a frame, and where. Offsets count bytes from zero.
public enum ChatFrameError: Error, Hashable, Sendable {
  /// There are no bytes.
  case empty
  /// There is no colon in the `bytes` bytes, so there is no verb.
  case missingColon(bytes: Int)
  /// The `length` bytes in front of the first colon are neither `iam` nor `msg`.
  ///
  /// `start` is the first of them, at most eight.
  case unknownVerb(start: [UInt8], length: Int)
  /// The name behind `iam:` is not one; offsets in the reason count from behind that colon.
  case invalidName(ChatNameError)
  /// The text is larger than `limit`.
  case textTooLong(bytes: Int, limit: Int)
}

extension ChatFrameError: CustomStringConvertible {
  /// One line for a person, safe to print: bytes that came from elsewhere are escaped.
  public var description: String {
    switch self {
    case .empty:
      "an empty frame: expected iam:NAME or msg:TEXT"
    case .missingColon:
      "a frame without a colon: expected iam:NAME or msg:TEXT"
    case .unknownVerb(let start, let length):
      "a frame cannot start with \"\(escaped(start, of: length)):\": expected iam: or msg:"
    case .invalidName(let reason):
      "\(reason)"
    case .textTooLong(let bytes, let limit):
      "a text cannot be longer than \(limit) bytes, and this one has \(bytes)"
    }
  }
}
