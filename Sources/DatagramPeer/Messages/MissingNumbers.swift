import Primitives

/// Numbers that were passed over, in all channels of one peer, until they come late or have been
/// missing for so long that it is told. In the order in which that was noticed, so that only the
/// first has to be looked at.
struct MissingNumbers {
  struct Hole: Equatable {
    var key: UnreliableKey
    var range: Range<UInt64>
    var since: Instant
  }

  private var holes: [Hole] = []
  private let tolerance: Interval

  /// The most holes that are watched at once; where there are more, the oldest count as lost.
  static let maximumHoles = 256

  init(tolerance: Interval) {
    self.tolerance = tolerance
  }

  mutating func insert(_ range: Range<UInt64>, of key: UnreliableKey, at now: Instant) {
    guard !range.isEmpty else { return }
    // Holes of one time may be told together; a clock that stands still must not unsort them.
    holes.append(Hole(key: key, range: range, since: max(now, holes.last?.since ?? now)))
  }

  /// Notes that a number came late.
  mutating func fill(_ number: UInt64, of key: UnreliableKey) {
    guard
      let index = holes.lastIndex(where: { $0.key == key && $0.range.contains(number) })
    else { return }
    let hole = holes[index]
    let below = hole.range.lowerBound..<number
    let above = (number + 1)..<hole.range.upperBound
    switch (below.isEmpty, above.isEmpty) {
    case (true, true): holes.remove(at: index)
    case (false, true): holes[index].range = below
    case (true, false): holes[index].range = above
    case (false, false):
      holes[index].range = below
      holes.insert(Hole(key: key, range: above, since: hole.since), at: index + 1)
    }
  }

  /// The next hole that is due, or the next at all where `all` is set; it is forgotten.
  mutating func popFirst(at now: Instant, all: Bool) -> Hole? {
    guard let first = holes.first,
      all || holes.count > Self.maximumHoles || first.since + tolerance <= now
    else { return nil }
    return holes.removeFirst()
  }

  /// When `popFirst` will have something to say.
  var deadline: Instant? {
    guard let first = holes.first else { return nil }
    return holes.count > Self.maximumHoles ? first.since : first.since + tolerance
  }

  mutating func releaseStorage() {
    if holes.isEmpty { holes = [] }
  }
}
