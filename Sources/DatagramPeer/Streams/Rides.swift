import Primitives

/// Which bytes of a stream may ride again in a packet: it knows where the last packets that carried
/// new bytes began, and what the packet being written carries already.
struct Rides {
  /// From how many packets before the present one bytes may ride, short of from all.
  static let maximumSends = 7

  /// The start of the new bytes of packet n is at n modulo the size.
  private var starts = InlineArray<8, UInt64>(repeating: 0)
  private var sendCount = 0
  /// Whether the packet being written carries new bytes.
  private var carriesFresh = false
  private var haveBegun = false
  /// What the packet being written carries of old bytes, all in one range.
  private var carried: Range<UInt64>?
  /// What may ride has not been looked at from here on.
  private var next: UInt64 = 0
  private var upper: UInt64 = 0

  mutating func beginPacket() {
    carriesFresh = false
    haveBegun = false
    carried = nil
  }

  mutating func didWriteFresh(_ range: Range<UInt64>) {
    if haveBegun { beginPacket() }
    guard !carriesFresh else { return }
    carriesFresh = true
    starts[sendCount & 7] = range.lowerBound
    sendCount += 1
  }

  mutating func didWriteOld(_ range: Range<UInt64>) {
    if haveBegun { beginPacket() }
    carried =
      carried.map {
        min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
      } ?? range
  }

  mutating func begin(sentEnd: UInt64) {
    haveBegun = true
    next = 0
    upper = carriesFresh ? start(1) : sentEnd
  }

  mutating func didRide(_ range: Range<UInt64>) {
    next = max(next, range.upperBound)
  }

  /// The next bytes that may ride: above `unacknowledged`, of the last `sends` packets before this
  /// one, and not yet in this packet.
  func candidate(sends: Int, above unacknowledged: UInt64) -> Range<UInt64>? {
    guard haveBegun, sends > 0 else { return nil }
    var lower = max(unacknowledged, next)
    if sends != Int.max { lower = max(lower, start(sends + (carriesFresh ? 1 : 0))) }
    var upper = upper
    if let carried {
      if carried.contains(lower) { lower = carried.upperBound }
      if carried.lowerBound > lower { upper = min(upper, carried.lowerBound) }
    }
    return lower < upper ? lower..<upper : nil
  }

  /// Where the packet that was the `count`th last with new bytes began.
  private func start(_ count: Int) -> UInt64 {
    let count = min(count, starts.count)
    return count <= sendCount ? starts[(sendCount - count) & 7] : 0
  }
}
