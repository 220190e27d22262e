/// Up to which number the other side knows what has arrived here.
///
/// An acknowledgement that it has tells it of all that had come then, but not of a lower number
/// that came later. Of such latecomers two groups are kept: one that waits for an acknowledgement
/// with a larger number than there was when its last one came, and one that fills up meanwhile.
struct ToldNumbers {
  private struct Latecomers {
    var lowest: UInt64 = .max
    /// The largest number that had arrived when the last of them came.
    var largest: UInt64 = 0
  }

  private var heardBelow: UInt64 = 0
  private var waiting = Latecomers()
  private var filling = Latecomers()

  /// Numbers below this need not be told again.
  var lowest: UInt64 { min(heardBelow, waiting.lowest, filling.lowest) }

  mutating func noteLate(_ number: UInt64, largest: UInt64) {
    filling.lowest = min(filling.lowest, number)
    filling.largest = max(filling.largest, largest)
  }

  /// The other side has an acknowledgement whose largest number is `largest`.
  mutating func noteHeard(_ largest: UInt64) {
    heardBelow = max(heardBelow, largest + 1)
    // One with the same largest number may have been written before the latecomer came.
    guard largest > waiting.largest || waiting.lowest == .max else { return }
    waiting = filling
    filling = Latecomers()
    if largest > waiting.largest { waiting = Latecomers() }
  }
}
