import ChatTransport

/// Somebody whose lines the room keeps in order, here or not.
struct Author: Sendable {
  var incarnation: Incarnation
  var stream: AuthorStream
  /// `nil` after he has left; what he said is remembered for a while, for he may come back.
  var presence: Presence?
  /// Counts up with each leaving, to forget the longest absent first.
  var departure: UInt64 = 0

  init(_ incarnation: Incarnation, owedAfter: UInt64) {
    self.incarnation = incarnation
    stream = AuthorStream(after: owedAfter)
  }
}
