public import ChatTransport
public import Primitives

/// What the room tells the one who uses it.
public enum RoomEvent: Hashable, Sendable {
  case joined(Member)
  case left(Member, LeaveReason)
  case message(RoomMessage)
  /// Somebody with another program, such as `nc -u`, said something.
  case plain(PlainLine)
  /// Lines of a member that did not arrive and will not.
  case gap(Member, missing: Range<UInt64>)
  /// A member holds a line that we said.
  case delivered(RecordID, to: Member)
  /// A line that we said will not reach this member, or nobody knows.
  case undelivered(RecordID, to: Member, GiveUpReason)
  /// The transport below has ended; nothing comes after this.
  case closed(CloseReason)
}

/// What names a line for ever and for everybody: its author's incarnation and its number there.
public struct RecordID: Hashable, Comparable, Sendable {
  public var author: Incarnation
  /// The number of the record among those of this incarnation, from 1 upwards.
  public var sequence: UInt64

  public init(author: Incarnation, sequence: UInt64) {
    self.author = author
    self.sequence = sequence
  }

  public static func < (left: RecordID, right: RecordID) -> Bool {
    left.author == right.author ? left.sequence < right.sequence : left.author < right.author
  }
}

extension RecordID: CustomStringConvertible {
  /// Identity in hexadecimal, epoch and sequence, with colons between.
  public var description: String { "\(author.identity):\(author.epoch):\(sequence)" }
}

/// Somebody who is in the room. A member is not a peer: behind a relay many members share one.
public struct Member: Hashable, Sendable {
  public var incarnation: Incarnation
  /// The name as its owner gave it: valid, but perhaps another's too.
  public var name: String
  /// The name by which members can be told apart: `Luke`, or `Luke#3f2a` where there are two.
  public var displayName: String
  /// The peer over which it is reached.
  public var peer: PeerID
  /// Where that peer's datagrams come from, where there is such a thing.
  public var path: Path?

  public init(
    incarnation: Incarnation, name: String, displayName: String, peer: PeerID, path: Path? = nil
  ) {
    self.incarnation = incarnation
    self.name = name
    self.displayName = displayName
    self.peer = peer
    self.path = path
  }
}

/// A line that a member said.
public struct RoomMessage: Hashable, Sendable {
  public var id: RecordID
  public var from: Member
  /// The text exactly as it was said.
  public var bytes: [UInt8]
  /// How it was sent.
  public var delivery: Delivery

  public init(id: RecordID, from: Member, bytes: [UInt8], delivery: Delivery) {
    self.id = id
    self.from = from
    self.bytes = bytes
    self.delivery = delivery
  }

  /// The text for a person, with invalid UTF-8 replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A line that came as a bare `msg:` datagram.
public struct PlainLine: Hashable, Sendable {
  /// Where it came from; nobody vouches for more than that.
  public var path: Path
  /// The name the address gave itself by a bare `iam:`, if it did.
  public var name: String?
  /// The text exactly as it came, without a line end behind it.
  public var bytes: [UInt8]

  public init(path: Path, name: String?, bytes: [UInt8]) {
    self.path = path
    self.name = name
    self.bytes = bytes
  }

  /// The text for a person, with invalid UTF-8 replaced.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
