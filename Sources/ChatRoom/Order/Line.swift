import ChatTransport

/// A line as its receiver keeps it until it can be shown.
struct Line: Hashable, Sendable {
  var sequence: UInt64
  var isUnreliable: Bool
  var text: [UInt8]

  /// What it counts against limits of memory: its text, and about what holding it costs.
  var cost: Int { text.count + 64 }

  var delivery: Delivery { isUnreliable ? .unreliable : .reliable }
}

extension Array where Element == Line {
  /// Where a line of this number stands, or would stand, in an array in order of sequence.
  func position(of sequence: UInt64) -> Int {
    // Lines mostly come in order, so the end is the place to look first.
    guard let last, last.sequence >= sequence else { return count }
    return partitioningIndex { $0.sequence >= sequence }
  }
}

extension Array {
  /// The first index whose element satisfies a condition that, once true, stays true.
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
