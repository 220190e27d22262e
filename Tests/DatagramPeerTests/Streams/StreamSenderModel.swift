import Primitives

/// The simplest sender of a stream that keeps its rules: it has all messages in one array of bytes,
/// and cuts and repeats as the generator pleases.
struct StreamSenderModel {
  enum Frame {
    case chunk(offset: UInt64, startsMessage: Bool, bytes: [UInt8])
    case skip(range: Range<UInt64>, firstSequence: UInt64, count: UInt64)

    var range: Range<UInt64> {
      switch self {
      case .chunk(let offset, _, let bytes): offset..<(offset + UInt64(bytes.count))
      case .skip(let range, _, _): range
      }
    }
  }

  private(set) var payloads: [[UInt8]] = []
  private(set) var bytes: [UInt8] = []
  /// Where each message starts, and where the last one ends.
  private(set) var bounds: [Int] = [0]
  private(set) var givenUp: Set<Int> = []
  private var acknowledged = OffsetRanges()
  var limit: UInt64
  private let mergesSkips: Bool

  init(limit: UInt64, mergesSkips: Bool) {
    self.limit = limit
    self.mergesSkips = mergesSkips
  }

  /// The bytes of one message on its stream.
  static func coded(_ payload: [UInt8]) -> [UInt8] {
    [UInt8](capacity: payload.count + 8) { output in
      output.append(variableLength: UInt64(payload.count))
      output.append(contentsOf: payload)
    }
  }

  /// A payload that tells its message from all others, where it has four bytes or more.
  static func payload(_ index: Int, size: Int) -> [UInt8] {
    (0..<size).map { place in
      UInt8(truncatingIfNeeded: place < 4 ? index >> (8 * place) : place + index)
    }
  }

  mutating func append(size: Int) {
    let payload = Self.payload(payloads.count, size: size)
    payloads.append(payload)
    bytes += Self.coded(payload)
    bounds.append(bytes.count)
  }

  var isDone: Bool { acknowledged.containsAll(0..<UInt64(bytes.count)) }

  mutating func acknowledge(_ frame: Frame) {
    acknowledged.insert(frame.range)
  }

  /// Gives up a message that is not acknowledged.
  mutating func giveUp(_ index: Int) {
    let range = UInt64(bounds[index])..<UInt64(bounds[index + 1])
    if !acknowledged.containsAll(range) { givenUp.insert(index) }
  }

  /// A frame with something that is not acknowledged: the first of it, or what is found from a
  /// random place on.
  func frame(_ random: inout SplitMix64) -> Frame? {
    let top = UInt64(bytes.count)
    let anywhere = UInt64.random(in: 0...min(limit, top), using: &random)
    let from = Bool.random(using: &random) ? 0 : anywhere
    guard
      let gap = acknowledged.firstGap(in: from..<top) ?? acknowledged.firstGap(in: 0..<top)
    else { return nil }
    let index = message(at: Int(gap.lowerBound))
    if givenUp.contains(index) { return skip(index) }
    // Sometimes more of the message than is needed, or all of it once more.
    let wayBack = Int.random(in: 0..<4, using: &random)
    let start = wayBack == 0 ? bounds[index] : Int(gap.lowerBound)
    let isStart = start == bounds[index]
    var end = start + Int.random(in: 1...1_170, using: &random)
    end = min(end, Int(limit), isStart ? endOfWanted(from: index) : bounds[index + 1])
    guard end > start else { return nil }
    return .chunk(
      offset: UInt64(start), startsMessage: isStart, bytes: Array(bytes[start..<end]))
  }

  private func skip(_ index: Int) -> Frame? {
    var (first, last) = (index, index)
    if mergesSkips {
      while givenUp.contains(first - 1) { first -= 1 }
      while givenUp.contains(last + 1) { last += 1 }
    }
    guard bounds[first] <= limit else { return nil }
    return .skip(
      range: UInt64(bounds[first])..<UInt64(bounds[last + 1]), firstSequence: UInt64(first),
      count: UInt64(last - first + 1))
  }

  /// Where the first message from `index` on starts that was given up.
  private func endOfWanted(from index: Int) -> Int {
    var index = index
    while index < payloads.count, !givenUp.contains(index) {
      index += 1
      if bounds[index] - bounds[index - 1] > 1_170 { break }
    }
    return bounds[index]
  }

  private func message(at offset: Int) -> Int {
    var (low, high) = (0, payloads.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if bounds[middle] <= offset { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
