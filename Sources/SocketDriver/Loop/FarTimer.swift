import CSockets
import Primitives

/// A timer for deadlines that are far off and mostly move further before they come.
///
/// A wait with a time limit sets a timer of the kernel's and takes it back, which costs some
/// microseconds on a virtual machine. This one stays set; where its deadline has moved on by the
/// time it fires, the loop makes a round for nothing and sets it anew.
struct FarTimer: ~Copyable {
  /// Deadlines nearer than this are left to the wait, which is exact and leaves nothing behind.
  static let leastDistance = Interval.microseconds(500)

  private let timer: Descriptor
  private var time = Instant.zero

  /// - Parameter poller: where it tells that it has fired.
  init(poller: borrowing Descriptor, token: UInt64) throws(SystemError) {
    let timer = try Descriptor(patter_timer_open(), "timerfd_create")
    _ = try SystemError.check(
      patter_poller_add_waker(poller.number, timer.number, token), "epoll_ctl")
    self.timer = timer
  }

  /// Whether it will wake the loop at `deadline` or before, so that the wait needs no limit.
  mutating func covers(_ deadline: Instant, at now: Instant) -> Bool {
    guard deadline - now >= Self.leastDistance else { return false }
    if time > now, time <= deadline { return true }
    guard patter_timer_set(timer.number, deadline.nanoseconds) == 0 else { return false }
    time = deadline
    return true
  }
}
