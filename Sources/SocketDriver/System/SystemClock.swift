import Glibc
public import Primitives

/// The system's monotonic clock: it never goes backwards, and stands still while the machine
/// sleeps. Its zero is arbitrary, so that instants of two hosts cannot be compared.
public enum SystemClock {
  public static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
