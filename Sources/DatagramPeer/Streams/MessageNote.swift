import ChatTransport
import Primitives

/// What has to be told of one message or of several in a row; most messages need none.
struct MessageNote {
  /// The sequence number of the first of the messages on its stream.
  var firstSequence: UInt64
  /// Their count; their identifiers follow one another.
  var count: UInt64
  var firstID: UInt64
  /// When it is given up; the far future for never.
  var expires: Int64
  /// Whether the acknowledgement is to be told.
  var reports: Bool

  static let never = Int64.max

  var endSequence: UInt64 { firstSequence + count }

  func id(of sequence: UInt64) -> MessageID {
    MessageID(rawValue: firstID &+ (sequence &- firstSequence))
  }
}
