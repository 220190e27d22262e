import ChatRoom
import ChatTransport

extension ChatError {
  /// What is said about a line of ours that was given up for one member.
  static func undelivered(
    _ record: RecordID, to member: Member, _ reason: GiveUpReason
  ) -> ChatError {
    let line = "line \(record.sequence)"
    let message =
      switch reason {
      case .connectionEnded:
        "\(line) may not have reached \(member.displayName): the connection ended before it was "
          + "acknowledged"
      case .tooOld:
        "\(line) may not have reached \(member.displayName): it was not acknowledged in time"
      case .queueFull:
        "\(line) was not sent to \(member.displayName): too much was waiting to be sent"
      }
    return ChatError(kind: .undelivered, message: message)
  }
}
