import Primitives

/// Where the messages of a stream end, from the first that is not settled to the last.
///
/// A message is spoken of by its index among these. It starts where the one before it ends.
struct MessageBoundaries {
  /// The end of each message; the uppermost bit says that the message was given up.
  private var ends = RecordQueue<UInt64>()
  /// Where message 0 of these starts.
  private(set) var firstStart: UInt64 = 0
  /// The number of message 0 of these among all of the stream.
  private(set) var firstSequence: UInt64 = 0
  /// How many of these were given up.
  private(set) var givenUpCount = 0

  private static let givenUpBit: UInt64 = 1 << 63

  var count: Int { ends.count }
  /// The sequence number of the next message.
  var nextSequence: UInt64 { firstSequence + UInt64(ends.count) }

  mutating func append(end: UInt64) {
    ends.append(end)
  }

  /// Appends the `count` messages that `run` is made of, (length, payload) one after the other, the
  /// first of them at `start`.
  mutating func append(run: Span<UInt8>, count: Int, from start: UInt64) {
    ends.append(count: count) { (output: inout OutputSpan<UInt64>) in
      var position = 0
      var stride = MessageStride()
      while position < run.count, output.freeCapacity > 0 {
        let first = position
        guard let length = run.messageLength(at: &position),
          length <= min(SendStream.maximumPayload, run.count - position)
        else { break }
        position += length
        output.append(start + UInt64(position))
        stride.note(run, from: first, to: position)
        while output.freeCapacity > 0, stride.fits(run, at: position) {
          position += stride.size
          output.append(start + UInt64(position))
        }
      }
      precondition(
        position == run.count && output.count == count, "a run is made of whole messages")
    }
  }

  func start(_ index: Int) -> UInt64 {
    index == 0 ? firstStart : end(index - 1)
  }

  func end(_ index: Int) -> UInt64 {
    ends[index] & ~Self.givenUpBit
  }

  func isGivenUp(_ index: Int) -> Bool {
    ends[index] & Self.givenUpBit != 0
  }

  mutating func giveUp(_ index: Int) {
    guard !isGivenUp(index) else { return }
    ends[index] |= Self.givenUpBit
    givenUpCount += 1
  }

  /// The message that has the byte at `offset`; `count` where that is behind all of them.
  func index(containing offset: UInt64) -> Int {
    var (low, high) = (0, ends.count)
    // Most often it is the first.
    if high > 0, offset < end(0) { return 0 }
    while low < high {
      let middle = (low + high) / 2
      if end(middle) > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first message from `index` on that ends above `offset`; cheap where it is near.
  func index(containing offset: UInt64, from index: Int) -> Int {
    var index = index
    while index < ends.count, end(index) <= offset { index += 1 }
    return index
  }

  /// Lets go of all messages that end at `offset` or below it.
  mutating func dropFirst(to offset: UInt64) {
    let count = index(containing: offset, from: 0)
    guard count > 0 else { return }
    if givenUpCount > 0 {
      for index in 0..<count where isGivenUp(index) { givenUpCount -= 1 }
    }
    firstStart = end(count - 1)
    firstSequence += UInt64(count)
    ends.dropFirst(count)
  }

  /// Gives the memory back where there is no message.
  mutating func releaseStorage() {
    if ends.isEmpty { ends = RecordQueue() }
  }
}
