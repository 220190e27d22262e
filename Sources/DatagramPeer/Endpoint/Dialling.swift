import ChatTransport
import Primitives

/// A call of ours that is not a connection yet.
struct Dial {
  enum Stage {
    /// We asked whether somebody is there.
    case hello
    /// Somebody is, and we asked for a connection.
    case open(responder: Incarnation, cookie: Cookie)
  }

  /// Our name for the connection to be.
  let localID: ConnectionID
  let path: Path
  /// Whom we expect there; `nil` for an address that the user named.
  let expected: Incarnation?
  var stage = Stage.hello
  /// When the last packet went out, and how many of this stage there were.
  var sentAt: Instant
  var tries = 1
  /// When an `open` is repeated; a `hello` is repeated only when there is a new reason for it.
  var nextTry: Instant
  var interval = Interval.zero
  /// When it is given up.
  var expires: Instant
  var roundTrip: Interval?
  /// What somebody there says he speaks, where that is not our version. Nothing vouches for it: the
  /// call goes on.
  var otherVersions: [UInt8] = []

  /// When something has to be done about it by itself.
  var deadline: Instant { responder == nil ? expires : min(nextTry, expires) }

  var responder: Incarnation? {
    guard case .open(let responder, _) = stage else { return nil }
    return responder
  }
}

/// An address that the user named: called again and again until somebody answers, and again when
/// that peer has left.
struct Target {
  let path: Path
  var nextTry: Instant
  var interval: Interval
  var peer: PeerID?

  static let firstInterval = Interval.milliseconds(250)
}
