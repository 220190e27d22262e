import Primitives

/// Losses for which a congestion window is reduced once: those of packets that were sent before the
/// first of them was found (RFC 9002, section 7.3.2).
struct LossEpisode {
  /// Packets sent after this belong to another episode.
  var start: Instant
  /// The lowest number that was lost; numbers of later episodes are higher.
  var firstNumber: UInt64
  /// Losses that have not proved to be none.
  var losses = 0
}
