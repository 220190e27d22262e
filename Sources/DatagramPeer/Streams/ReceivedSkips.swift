/// Skips that nobody has been told of yet, in the order of their places; they do not overlap.
struct ReceivedSkips {
  private(set) var all: [ReceivedSkip] = []

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }
  var first: ReceivedSkip? { all.first }

  mutating func insert(_ skip: ReceivedSkip) {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].range.lowerBound <= skip.range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low > 0, all[low - 1].extend(with: skip) {
      low -= 1
    } else {
      all.insert(skip, at: low)
    }
    var next = low + 1
    while next < all.count, all[low].extend(with: all[next]) { next += 1 }
    if next > low + 1 { all.removeSubrange((low + 1)..<next) }
  }

  mutating func removeFirst() -> ReceivedSkip {
    all.removeFirst()
  }

  /// Removes everything; the memory goes back.
  mutating func removeAll() {
    all = []
  }
}
