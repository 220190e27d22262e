import ChatRoom
import ChatTransport
import Primitives

/// One JSON object a line, for programs. Every object has `v`, the version of this form, and
/// `type`; whoever reads them skips types and members that he does not know.
///
/// A member is `id`, `epoch`, `name` as it is displayed, which tells members apart, and `nick`, the
/// name as its owner gave it. Texts are as they were said; nothing but the escaping of JSON makes
/// them safe.
struct JSONChatPresenter: ChatPresenter {
  /// The name of the room, which every event carries.
  let room: String

  func lines(ready: ReadyInformation) -> [OutputLine] {
    var object = head("ready")
    object.append("id", .string(ready.incarnation.identity.description))
    object.append("epoch", .unsigned(ready.incarnation.epoch))
    object.append("name", .string(ready.name))
    object.append("addresses", .array(ready.addresses.map { .object($0.json) }))
    object.append("port", .unsigned(UInt64(ready.port)))
    object.append("shared_port", .unsigned(UInt64(ready.sharedPort)))
    object.append("groups", .array(ready.groups.map { .string("\($0)") }))
    return [.out(object.line)]
  }

  func lines(for event: RoomEvent) -> [OutputLine] {
    switch event {
    case .joined(let member): [.out(self.event("joined", by: member).line)]
    case .left(let member, let reason): left(member, reason)
    case .message(let message): self.message(message)
    case .plain(let line): plain(line)
    case .gap(let member, let missing): gap(member, missing)
    case .delivered: []
    case .undelivered(let record, let member, let reason): undelivered(record, member, reason)
    case .closed(.closedByUs): []
    case .closed(.failed(let words)): lines(error: ChatError(kind: .network, message: words))
    }
  }

  func lines(error: ChatError) -> [OutputLine] { [.out(object(for: error).line)] }

  private func left(_ member: Member, _ reason: LeaveReason) -> [OutputLine] {
    var object = event("left", by: member)
    object.append("reason", .string(reason.rawValue))
    return [.out(object.line)]
  }

  private func message(_ message: RoomMessage) -> [OutputLine] {
    var object = head("message")
    object.append("id", .string(message.id.description))
    object.append("from", member(message.from))
    object.append("text", .string(message.text))
    object.append("sequence", .unsigned(message.id.sequence))
    object.append("delivery", .string("\(message.delivery)"))
    return [.out(object.line)]
  }

  private func plain(_ line: PlainLine) -> [OutputLine] {
    var object = head("message")
    object.append("id", nil)
    object.append(
      "from",
      .object(["address": .string(line.path.remote.description), "name": JSONValue(line.name)]))
    object.append("text", .string(line.text))
    object.append("sequence", nil)
    object.append("delivery", .string("\(Delivery.unreliable)"))
    object.append("plain", true)
    return [.out(object.line)]
  }

  private func gap(_ member: Member, _ missing: Range<UInt64>) -> [OutputLine] {
    guard !missing.isEmpty else { return [] }
    var object = event("gap", by: member)
    object.append("count", .unsigned(missing.upperBound - missing.lowerBound))
    object.append("first", .unsigned(missing.lowerBound))
    object.append("last", .unsigned(missing.upperBound - 1))
    return [.out(object.line)]
  }

  private func undelivered(
    _ record: RecordID, _ member: Member, _ reason: GiveUpReason
  ) -> [OutputLine] {
    var object = object(for: .undelivered(UndeliveredLines(record, to: member, reason)))
    object.append("id", .string(record.description))
    object.append("to", self.member(member))
    object.append("reason", .string(reason.rawValue))
    return [.out(object.line)]
  }

  private func head(_ type: String) -> JSONObject {
    ["v": 1, "type": .string(type), "room": .string(room)]
  }

  private func event(_ type: String, by member: Member) -> JSONObject {
    var object = head(type)
    object.append("from", self.member(member))
    return object
  }

  private func object(for error: ChatError) -> JSONObject {
    var object = head("error")
    object.append("kind", .string(error.kind.rawValue))
    object.append("message", .string(error.message))
    return object
  }

  private func member(_ member: Member) -> JSONValue {
    .object([
      "id": .string(member.incarnation.identity.description),
      "epoch": .unsigned(member.incarnation.epoch),
      "name": .string(member.displayName),
      "nick": .string(member.name),
    ])
  }
}
