import ChatRoom
import ChatTransport
import Primitives

/// Members and lines for the tests of the presenters.
enum Sample {
  static let room = "lan"
  static let path = Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 40213))

  static func member(_ name: String, displayName: String? = nil) -> Member {
    Member(
      incarnation: Incarnation(identity: Identity(high: 0x0123, low: 0xABCD), epoch: 1_700),
      name: name, displayName: displayName ?? name, peer: PeerID(rawValue: 1), path: path)
  }

  static func record(_ sequence: UInt64) -> RecordID {
    RecordID(author: member("").incarnation, sequence: sequence)
  }

  static func message(from member: Member, _ bytes: [UInt8]) -> RoomEvent {
    .message(RoomMessage(id: record(5), from: member, bytes: bytes, delivery: .reliable))
  }

  static func message(from member: Member, _ text: String) -> RoomEvent {
    message(from: member, Array(text.utf8))
  }

  static func plain(_ name: String?, _ text: String) -> RoomEvent {
    .plain(PlainLine(path: path, name: name, bytes: Array(text.utf8)))
  }
}
