import Primitives

/// The narrow place of a link: datagrams leave it one after the other at its rate, and those that
/// would have to wait for too long do not get in.
struct Bottleneck {
  /// When the last datagram that got in has left.
  private var freeAt = Instant(nanoseconds: .min)

  /// When a datagram of `size` bytes that comes `now` has left; `nil` where it does not get in.
  mutating func pass(_ size: Int, of impairment: borrowing Impairment, at now: Instant) -> Instant?
  {
    guard impairment.rate > 0 else { return now }
    let start = max(now, freeAt)
    guard start - now <= impairment.longestWait else { return nil }
    freeAt = start + impairment.transmissionTime(of: size)
    return freeAt
  }
}
