/// How much of one author's stream may wait.
struct AuthorStreamLimits: Sendable {
  /// Lines that wait.
  var lines: Int
  /// What they may cost; see `Line.cost`.
  var cost: Int
  /// Separate ranges of numbers that are missing.
  var holes: Int
}
