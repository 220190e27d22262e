import ChatTransport
import Primitives

/// What went wrong in a chat, for a person in words and for a program by its kind.
struct ChatError: Error, Hashable, Sendable {
  /// The `kind` of the JSON form; part of the interface.
  enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A line did not reach a member, or nobody knows whether it did.
    case undelivered
    /// At the end, lines were still not acknowledged.
    case unacknowledged
    /// Somebody is there who speaks another version of the protocol.
    case version
    /// A line was not accepted for sending: too long, too fast.
    case refused
    /// The network cannot be used.
    case network
    /// The identity asked for is in use.
    case identity
    case `internal`
  }

  var kind: Kind
  /// One sentence without a full stop.
  var message: String
}

extension ChatError {
  /// What is said of somebody who speaks another version of the protocol.
  static func incompatible(_ found: IncompatibleVersion) -> ChatError {
    let versions = found.theirs.map { "\($0)" }.joined(separator: ", ")
    return ChatError(
      kind: .version,
      message: "at \(found.remote) version \(versions) of the protocol is spoken, and here "
        + "version \(found.ours): use the same release of patter at both ends")
  }

  /// What is said at the end about lines of which it is not known whether they arrived; one line to
  /// three members counts three times.
  static func unacknowledged(count: Int) -> ChatError {
    ChatError(
      kind: .unacknowledged,
      message: count == 1
        ? "left before 1 delivery was acknowledged"
        : "left before \(count) deliveries were acknowledged")
  }
}
