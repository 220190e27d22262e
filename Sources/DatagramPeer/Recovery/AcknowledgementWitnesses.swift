/// Some of the packets that carried nothing but an acknowledgement, until the peer says of them
/// whether they arrived: they tell which acknowledgements it has.
///
/// Nobody has to acknowledge such packets, and so nothing else is remembered of them. Where they
/// follow each other closely only the first few are taken, until those are settled.
struct AcknowledgementWitnesses {
  private struct Witness {
    /// The number of the packet.
    var number = UInt64.max
    /// One above the largest number that it acknowledged.
    var below: UInt64 = 0
  }

  private var witnesses = InlineArray<4, Witness>(repeating: Witness())

  mutating func note(_ number: UInt64, acknowledging largest: UInt64) {
    for index in witnesses.indices where witnesses[index].number == .max {
      witnesses[index] = Witness(number: number, below: largest + 1)
      return
    }
  }

  /// Takes in what the peer says of them. Returns one above the largest number in an
  /// acknowledgement that it has, or 0 where it tells of none.
  mutating func take(_ acknowledgement: Acknowledgement) -> UInt64 {
    var below: UInt64 = 0
    for index in witnesses.indices where witnesses[index].number <= acknowledgement.largest {
      for range in acknowledgement.ranges where range.contains(witnesses[index].number) {
        below = max(below, witnesses[index].below)
      }
      witnesses[index] = Witness()
    }
    return below
  }
}
