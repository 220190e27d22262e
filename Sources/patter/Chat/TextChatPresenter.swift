import ChatRoom
import ChatTransport
import Primitives

/// Lines for a person: `Luke: Hey`, `* Luke has joined`, `(1 message from Luke was lost)`.
///
/// What happens in the room is data; about ourselves and our own lines is told on standard error.
struct TextChatPresenter: ChatPresenter {
  func lines(ready: ReadyInformation) -> [OutputLine] {
    let name = TerminalText.name(ready.name)
    let room = TerminalText.name(ready.room)
    let addresses = ready.addresses.map(\.text).joined(separator: ", ")
    return [
      .error("* You are \(name) in \(room), an open room: all on this network can read it"),
      .error(
        addresses.isEmpty
          ? "* Listening on port \(ready.port)" : "* Listening at \(addresses)"),
    ]
  }

  func lines(for event: RoomEvent) -> [OutputLine] {
    switch event {
    case .joined(let member): [.out("* \(name(of: member)) has joined")]
    case .left(let member, let reason): left(member, reason)
    case .message(let message):
      [.out("\(name(of: message.from)): \(TerminalText.line(message.text))")]
    case .plain(let line): [.out("\(origin(of: line)) (plain): \(TerminalText.line(line.text))")]
    case .gap(let member, let missing): gap(member, missing)
    case .delivered: []
    case .undelivered(let record, let member, let reason):
      lines(error: .undelivered(UndeliveredLines(record, to: member, reason)))
    case .closed(.closedByUs): []
    case .closed(.failed(let words)): lines(error: ChatError(kind: .network, message: words))
    }
  }

  /// Many lines of ours that were given up for one reason are told of in one line.
  func lines(for events: [RoomEvent]) -> [OutputLine] {
    var result: [OutputLine] = []
    var undelivered: UndeliveredLines?
    for event in events {
      guard case .undelivered(let record, let member, let reason) = event else {
        if let lines = undelivered.take() { result += self.lines(error: .undelivered(lines)) }
        result += lines(for: event)
        continue
      }
      if undelivered?.append(record, to: member, reason) == true { continue }
      if let lines = undelivered { result += self.lines(error: .undelivered(lines)) }
      undelivered = UndeliveredLines(record, to: member, reason)
    }
    if let undelivered { result += lines(error: .undelivered(undelivered)) }
    return result
  }

  func lines(error: ChatError) -> [OutputLine] {
    [.error("patter chat: \(TerminalText.line(error.message))")]
  }

  private func name(of member: Member) -> String { TerminalText.name(member.displayName) }

  private func origin(of line: PlainLine) -> String {
    let address = line.path.remote.description
    return line.name.map { "\(TerminalText.name($0))@\(address)" } ?? address
  }

  private func left(_ member: Member, _ reason: LeaveReason) -> [OutputLine] {
    let explanation: String
    switch reason {
    // Here it is we who leave; the member stays where it is.
    case .closedByUs: return []
    case .closedByThem: explanation = ""
    case .timedOut: explanation = " (timed out)"
    case .replaced: explanation = " (started again)"
    case .refused: explanation = " (refused)"
    case .brokeProtocol: explanation = " (broke the protocol)"
    }
    return [.out("* \(name(of: member)) has left\(explanation)")]
  }

  private func gap(_ member: Member, _ missing: Range<UInt64>) -> [OutputLine] {
    switch missing.upperBound - missing.lowerBound {
    case 0: []
    case 1: [.out("(1 message from \(name(of: member)) was lost)")]
    case let count: [.out("(\(count) messages from \(name(of: member)) were lost)")]
    }
  }
}
