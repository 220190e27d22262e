import Primitives

/// What is remembered of one packet number: 40 bytes, as there may be tens of thousands.
struct SentRecord {
  enum State: UInt8 {
    /// It asked for an acknowledgement; once its record is closed, it has one.
    case sent
    /// It asks for none, and is no more in flight than a number that was skipped.
    case unasked
    /// The number was never sent.
    case skipped
    /// Declared lost. The record stays open for a while, as its acknowledgement may be late.
    case lost
    /// Declared lost, and acknowledged after that.
    case late
  }

  var sentAt = Instant(nanoseconds: 0)
  /// The first of its chunks; of length 0 where there is none.
  var chunk = SentChunk(stream: 0, start: 0, length: 0)
  /// How many more chunks there are, in the queue of `SentPackets`.
  var furtherCount: UInt16 = 0
  /// One above the largest number in the acknowledgement that it carried; 0 where it had none.
  var acknowledgedBelow: UInt64 = 0
  /// Where its further chunks begin in their queue, or would begin.
  var furtherStart: UInt32 = 0
  /// Bytes of the whole packet.
  var size: UInt16 = 0
  var state = State.skipped
  var contents: PacketContents = []

  var isAckEliciting: Bool { contents.contains(.ackEliciting) }
  var isProbe: Bool { contents.contains(.probe) }
}
