import Primitives

/// A data packet while it is being written.
struct OutgoingPacket {
  /// Where it begins in the buffer, and where it ends at the latest.
  let start: Int
  let end: Int
  var contents: PacketContents = []
  var hasUnreliable = false
  /// Bytes of frames with messages that were never sent before.
  var freshBytes = 0
  /// What of streams was never sent before, where copies of it are to follow.
  var freshChunks: [SentChunk] = []
  var copies = EarlyCopies.none

  /// What is left of a datagram by messages that just do not fit, in bytes at most.
  private static let slack = SendStream.leastBeginning + 8

  init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  /// Whether so little room is left that filling it costs less than a datagram of another size
  /// would: only datagrams of one size can be handed to the kernel together.
  func isNearlyFull(_ position: Int) -> Bool {
    position < end && end - position <= Self.slack
  }

  /// Fills it up.
  func pad(_ output: inout OutputSpan<UInt8>) {
    output.append(repeating: Frame.Kind.padding, count: end - output.count)
  }
}
