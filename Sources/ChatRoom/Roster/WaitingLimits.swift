/// How much of one peer may wait for greetings.
struct WaitingLimits: Sendable {
  var authors: Int
  /// Lines of all authors together.
  var lines: Int
  /// What they may cost; see `Line.cost`.
  var cost: Int
  /// Ranges of given up lines, for each author.
  var withheld: Int
}
