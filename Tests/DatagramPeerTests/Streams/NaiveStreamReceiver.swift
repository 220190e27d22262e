import Primitives

@testable import DatagramPeer

/// A receiver that keeps everything and learns where messages start only from within each chunk: it
/// goes by nothing but what the rule about starts promises.
struct NaiveStreamReceiver {
  /// Byte n of the stream, where it has arrived.
  private var bytes: [UInt8?] = []
  private var startsMessage: [Bool] = []
  /// The known starts of messages that are not delivered yet.
  private var waiting: [Int] = []
  /// The ranges of the messages that were delivered, in order of delivery.
  private(set) var delivered: [Range<Int>] = []
  private(set) var isSkipped: [Bool] = []

  mutating func receive(_ frame: StreamFrame) {
    switch frame {
    case .chunk(let chunk, let part):
      let start = Int(chunk.offset)
      extend(to: start + part.count)
      for (index, byte) in part.enumerated() { bytes[start + index] = byte }
      if chunk.startsMessage { markStarts(from: start, to: start + part.count) }
    case .skip(let skip):
      extend(to: Int(skip.range.upperBound))
      for offset in skip.range { isSkipped[Int(offset)] = true }
    }
    deliver()
  }

  func bytes(_ range: Range<Int>) -> [UInt8?] { Array(bytes[range]) }

  private mutating func extend(to count: Int) {
    let missing = count - bytes.count
    guard missing > 0 else { return }
    bytes += [UInt8?](repeating: nil, count: missing)
    startsMessage += [Bool](repeating: false, count: missing)
    isSkipped += [Bool](repeating: false, count: missing)
  }

  private mutating func markStarts(from start: Int, to limit: Int) {
    var next: Int? = start
    while let start = next, start < limit {
      if !startsMessage[start] { waiting.append(start) }
      startsMessage[start] = true
      next = end(ofMessageAt: start)
    }
  }

  private mutating func deliver() {
    var rest: [Int] = []
    for start in waiting {
      if let end = end(ofMessageAt: start), end <= bytes.count,
        !bytes[start..<end].contains(nil)
      {
        delivered.append(start..<end)
      } else {
        rest.append(start)
      }
    }
    waiting = rest
  }

  private func end(ofMessageAt start: Int) -> Int? {
    guard let first = bytes[start] else { return nil }
    let width = 1 << Int(first >> 6)
    guard start + width <= bytes.count else { return nil }
    var length = Int(first & 0x3F)
    for index in 1..<max(width, 1) {
      guard let byte = bytes[start + index] else { return nil }
      length = length << 8 | Int(byte)
    }
    return start + width + length
  }
}
