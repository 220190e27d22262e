import Primitives

/// How far the other side may send: up to `limit`, which moves on as what was sent is handed over.
///
/// The window doubles where it is what holds the sender back: where half of it was used within two
/// round trips, or where the sender has come near its end.
struct ReceiveWindow {
  /// Offsets below this may be sent; never goes back.
  private(set) var limit: UInt64
  /// How much may be sent beyond what was handed over, in bytes.
  private(set) var size: Int
  private var lastMove: Instant?

  init(size: Int) {
    precondition(size > 0, "a window has room for something")
    self.size = size
    limit = UInt64(size)
  }

  /// Grows the window to hold `bytes` where `maximum` allows that; how much it then holds.
  mutating func makeRoom(for bytes: Int, maximum: Int) -> Int {
    while size < bytes, size < maximum { size = min(size * 2, maximum) }
    return size
  }

  /// Moves the limit on where half of the window or more was handed over since it was last told.
  /// Returns the new limit, which has to be told.
  mutating func move(
    delivered: UInt64, highest: UInt64, maximum: Int, at now: Instant, roundTrip: Interval?
  ) -> UInt64? {
    guard delivered + UInt64(size) >= limit + UInt64(size / 2) else { return nil }
    let isFast =
      if let lastMove, let roundTrip { now < lastMove + roundTrip + roundTrip } else { false }
    if isFast || highest + UInt64(size / 8) >= limit {
      size = max(size, min(size * 2, maximum))
    }
    lastMove = now
    limit = max(limit, delivered + UInt64(size))
    return limit
  }

  /// Moves the limit on to `offset` at least; whether it had to.
  mutating func move(to offset: UInt64) -> Bool {
    guard offset > limit else { return false }
    limit = offset
    return true
  }
}
