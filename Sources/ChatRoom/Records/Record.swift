public import ChatCodec
public import ChatTransport
import Primitives

/// What a member tells the room: that he is there, a line, or goodbye. It is the unit that is kept,
/// passed on and, later, repaired and signed; it means the same whatever way it came.
public struct Record: Hashable, Sendable {
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The author is in the room. The body is `iam:NAME`.
    case iam = 1
    /// The author says a line. The body is `msg:TEXT`.
    case msg = 2
    /// The author leaves the room. There is no body.
    case bye = 3
  }

  /// The only version there is.
  public static let version: UInt8 = 1
  /// The largest authentication tag, in bytes.
  public static let maximumTagByteCount = 64
  /// The largest signature, in bytes.
  public static let maximumSignatureByteCount = 512

  public var kind: Kind
  /// Whether it is not to be repaired when it is lost: the author sends `unreliable`.
  public var isUnreliable: Bool
  public var room: RoomHash
  public var author: Incarnation
  /// Of a line, its number among those of the author, from 1 upwards; of anything else, how many
  /// lines the author has said before it. Below 2^62.
  public var sequence: UInt64
  /// The author's name.
  public var name: ChatName
  /// The unchanged bytes of the chat frame.
  public var body: [UInt8]
  /// The authentication tag; empty in an open room.
  public var tag: [UInt8] = []
  /// The author's signature; empty where he does not sign.
  public var signature: [UInt8] = []

  public init(
    kind: Kind, isUnreliable: Bool, room: RoomHash, author: Incarnation, sequence: UInt64,
    name: ChatName, body: [UInt8]
  ) {
    self.kind = kind
    self.isUnreliable = isUnreliable
    self.room = room
    self.author = author
    self.sequence = sequence
    self.name = name
    self.body = body
  }

  /// The text of a line: its body without `msg:`.
  var text: [UInt8] { Array(body.dropFirst(Self.verbByteCount)) }

  /// The number of bytes of `iam:` and `msg:`.
  static let verbByteCount = 4
  static let maximumBodyByteCount = verbByteCount + ChatFrame.maximumTextByteCount
}

extension Record {
  /// The largest text of a line by somebody of this name, in a record of at most `byteCount` bytes
  /// and whatever sequence number: below zero where not even an empty one fits.
  static func textLimit(in byteCount: Int, name: ChatName) -> Int {
    let fixed = 3 + 8 + 16 + 8 + 1 + name.text.utf8.count + 1 + 1
    let room = byteCount - fixed - variableLengthWidth(variableLengthMaximum)
    let body = room - variableLengthWidth(UInt64(max(0, room)))
    return min(body - verbByteCount, ChatFrame.maximumTextByteCount)
  }
}
