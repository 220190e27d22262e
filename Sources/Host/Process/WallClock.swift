import Glibc

/// The time of day. It may jump, also backwards: for epochs and for people, never to measure.
public enum WallClock {
  /// Milliseconds since 1970 began (UTC); 0 where the clock is set before that.
  public static var millisecondsSince1970: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    guard time.tv_sec >= 0 else { return 0 }
    return UInt64(time.tv_sec) * 1_000 + UInt64(time.tv_nsec) / 1_000_000
  }
}
