/// A part of a stream that a packet carries: bytes, or a skip in their place.
struct SentChunk: Equatable {
  /// Offset of the first byte in its stream.
  var start: UInt64
  /// Count of bytes; a chunk is never empty.
  var length: UInt32
  /// Index in the connection's table of send streams.
  var stream: UInt16

  init(stream: UInt16, start: UInt64, length: UInt32) {
    self.start = start
    self.length = length
    self.stream = stream
  }

  var range: Range<UInt64> { start..<(start + UInt64(length)) }

  func continues(with next: SentChunk) -> Bool {
    next.stream == stream && next.start == start &+ UInt64(length)
  }

  /// Takes in the chunk that follows in the same stream. Returns whether it was that.
  mutating func extend(by next: SentChunk) -> Bool {
    guard continues(with: next) else { return false }
    let (sum, overflow) = length.addingReportingOverflow(next.length)
    guard !overflow else { return false }
    length = sum
    return true
  }
}
