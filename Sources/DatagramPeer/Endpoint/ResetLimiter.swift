import Primitives

/// How many answers are given to datagrams for connections that are not there: a few in a burst,
/// and so many a second, whoever asks.
struct ResetLimiter {
  private let perSecond: Int
  private var allowance: Int
  private var latest: Instant?

  init(perSecond: Int) {
    self.perSecond = perSecond
    allowance = perSecond
  }

  /// Takes one, if there is one.
  mutating func take(at now: Instant) -> Bool {
    guard perSecond > 0 else { return false }
    let interval = Interval.seconds(1) / Int64(perSecond)
    let earned = latest.map { (now - $0).nanoseconds / max(1, interval.nanoseconds) } ?? 0
    if earned > 0 { allowance = min(perSecond, allowance + Int(min(earned, Int64(perSecond)))) }
    // What is left over of an interval counts towards the next, but never while nothing is missing.
    if let started = latest, allowance < perSecond {
      latest = started + interval * max(0, earned)
    } else {
      latest = now
    }
    guard allowance > 0 else { return false }
    allowance -= 1
    return true
  }
}
