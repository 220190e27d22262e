/// The windows that do not depend on the kind of control.
enum CongestionLimits {
  /// Never less than two datagrams (RFC 9002, section 7.2).
  static func minimumWindow(datagramSize: Int) -> Int { 2 * datagramSize }

  /// Ten datagrams, or fewer of large ones (RFC 9002, section 7.2; RFC 6928).
  static func initialWindow(datagramSize: Int) -> Int {
    min(10 * datagramSize, max(14_720, 2 * datagramSize))
  }

  /// No path holds a tebibyte; whoever adds to a window need not think of overflow.
  static let maximumWindow = 1 << 40

  /// No path carries a terabyte in a second.
  static let maximumRate = 1_000_000_000_000

  static func isDatagramSize(_ size: Int) -> Bool { (1...65_535).contains(size) }
}
