import Primitives

/// How much may be said before there was time to find the others.
///
/// The room hands its recent lines to whoever appears. What a file or another program has to say
/// comes faster than anybody is found, and of that only the last lines are recent: so the rest has
/// to wait.
struct EarlyLines {
  private let end: Instant
  private let lineLimit: Int
  private let byteLimit: Int
  private var lineCount = 0
  private var byteCount = 0
  private var isHolding = false

  /// What a line costs in the room besides its text, at most, in bytes.
  private static let lineCost = 256

  /// - Parameters:
  ///   - end: when the others have been found.
  ///   - lineLimit: how many lines the room counts as recent.
  ///   - byteLimit: how many bytes of them.
  init(until end: Instant, lineLimit: Int, byteLimit: Int) {
    self.end = end
    self.lineLimit = lineLimit
    self.byteLimit = byteLimit
  }

  /// Whether another line of any length may be said.
  mutating func hasRoom(at now: Instant) -> Bool {
    isHolding = now < end && (lineCount >= lineLimit || byteCount >= byteLimit)
    return !isHolding
  }

  /// Counts a line that was said.
  mutating func note(_ text: [UInt8]) {
    lineCount += 1
    byteCount += text.count + Self.lineCost
  }

  /// When there is room again; `nil` where there was when last asked.
  var deadline: Instant? { isHolding ? end : nil }
}
