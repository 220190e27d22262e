/// Congestion avoidance of NewReno: one datagram for each window of bytes that was acknowledged
/// (RFC 9002, section 7.3.3).
struct RenoIncrease: Equatable {
  /// What a loss leaves of the window (RFC 9002, appendix B.1, kLossReductionFactor).
  static let remainder = 0.5

  /// Acknowledged bytes that have not made up a whole window yet.
  private var counted = 0

  /// The window after `bytes` more were acknowledged.
  mutating func grow(_ window: Int, by bytes: Int, datagramSize: Int) -> Int {
    counted += bytes
    guard counted >= window else { return window }
    let (windows, rest) = counted.quotientAndRemainder(dividingBy: window)
    counted = rest
    // A single acknowledgement that speaks of several windows is not worth more than one.
    return window + min(windows, 1) * datagramSize
  }

  mutating func reset() {
    counted = 0
  }
}
