/// How a connection finds out how much it may send without crowding others out.
public enum CongestionControl: Hashable, Sendable {
  /// CUBIC (RFC 9438) with HyStart++ (RFC 9406): what most TCP of today does. The default.
  case cubic

  /// NewReno as RFC 9002, section 7, describes it: halves where CUBIC takes away three tenths, and
  /// comes back by one datagram a round trip.
  case newReno

  /// Sends at this rate whatever is lost, 1 byte per second or more.
  ///
  /// Only for networks whose capacity is known and not shared: it takes from everybody else what it
  /// was told to take. What is under way is bounded by what two seconds carry.
  case fixedRate(bytesPerSecond: Int)

  /// No limit at all and no pacing: for tests and measurements.
  case unlimited
}
