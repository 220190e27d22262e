/// What can go wrong in a run. Which of these do at all is drawn first, and then how badly: a run
/// with everything at once hides what two of them do together.
public enum FaultKind: String, CaseIterable, Hashable, Sendable {
  /// Each datagram is lost with a probability of up to 60 %.
  case loss
  /// Everything from one host to another is lost for a short time.
  case bursts
  case duplication
  /// Datagrams overtake others.
  case reordering
  /// Delays vary.
  case jitter
  /// Bits flip, and the checksum of UDP finds it.
  case corruption
  /// Some hosts are cut off from the others for a time.
  case partitions
  /// One host does not hear another, which hears it.
  case oneWayLinks
  /// A program is suspended, and finds the time moved on and its socket full.
  case suspensions
  /// The clock of a host jumps forward, and nothing was missed.
  case clockJumps
  /// A program crashes and starts again under the same identity.
  case restarts
  /// A program says goodbye and starts again.
  case departures
  /// A router gives a host another port, or its network another address.
  case addressChanges
  /// Large datagrams vanish on the way.
  case blackHoles
  /// A user does not look at what arrives.
  case slowReaders
  /// A user ends the connection to one peer.
  case disconnections
  /// Somebody who cannot see connection identifiers sends what he likes.
  case attacks
  /// Very many call from addresses that are not theirs.
  case floods
}
