public import ChatCodec
public import ChatTransport

/// Why a room was not joined.
public enum JoinError: Error, Hashable, Sendable {
  case invalidName(ChatNameError)
  case alreadyJoined
  /// The room was left; a new one has to be made to join again.
  case ended
  /// The transport cannot carry what a room needs.
  case transport(SendError)
}

extension JoinError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidName(let error): "\(error)"
    case .alreadyJoined: "the room is joined already"
    case .ended: "the room has been left"
    case .transport(let error): "\(error)"
    }
  }
}
