import ChatRoom
import ChatTransport

/// Lines of ours, one after the other, that were given up for one member for one reason. When a
/// connection ends there may be a thousand of them.
struct UndeliveredLines: Hashable, Sendable {
  private(set) var sequences: ClosedRange<UInt64>
  let member: Member
  let reason: GiveUpReason

  init(_ record: RecordID, to member: Member, _ reason: GiveUpReason) {
    sequences = record.sequence...record.sequence
    self.member = member
    self.reason = reason
  }

  /// Takes the next line in; false where it does not follow on these.
  mutating func append(_ record: RecordID, to member: Member, _ reason: GiveUpReason) -> Bool {
    let (next, overflow) = sequences.upperBound.addingReportingOverflow(1)
    guard !overflow, record.sequence == next, member == self.member, reason == self.reason else {
      return false
    }
    sequences = sequences.lowerBound...next
    return true
  }
}

extension ChatError {
  /// What is said about lines that were given up.
  static func undelivered(_ lines: UndeliveredLines) -> ChatError {
    let (first, last) = (lines.sequences.lowerBound, lines.sequences.upperBound)
    let isOne = first == last
    let subject = isOne ? "line \(first)" : "lines \(first) to \(last)"
    let (it, was) = isOne ? ("it", "was") : ("they", "were")
    let name = lines.member.displayName
    let message =
      switch lines.reason {
      case .connectionEnded:
        "\(subject) may not have reached \(name): the connection ended before \(it) \(was) "
          + "acknowledged"
      case .tooOld: "\(subject) may not have reached \(name): \(it) \(was) not acknowledged in time"
      case .queueFull:
        "\(subject) \(was) not sent to \(name): too much was waiting to be sent"
      }
    return ChatError(kind: .undelivered, message: message)
  }
}
