public import Primitives

/// Something that must never happen, and did.
public struct Violation: Hashable, Sendable, CustomStringConvertible {
  /// The virtual time.
  public var time: Instant
  /// What was broken and by whom, for a person.
  public var words: String

  public var description: String { "at \(time.nanoseconds / 1_000) us: \(words)" }
}

/// What all checkers of a run found.
final class Violations {
  private(set) var found: [Violation] = []
  /// The present of the run.
  var now = Instant.zero

  var isEmpty: Bool { found.isEmpty }

  /// Only the first ones are kept: what follows is often their consequence.
  func add(_ words: @autoclosure () -> String) {
    guard found.count < 20 else { return }
    found.append(Violation(time: now, words: words()))
  }
}
