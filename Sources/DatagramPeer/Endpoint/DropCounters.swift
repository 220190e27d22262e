/// Why datagrams that came in were dropped, each reason counted by its name.
public struct DropCounters: Hashable, Sendable {
  public enum Reason: Int, CaseIterable, Sendable {
    /// Not a datagram of this protocol, or not one of this version.
    case unknownKind
    case malformed
    /// For a connection that is not, or no longer, there.
    case unknownConnection
    case duplicate
    case acknowledgementOfUnsent
    case noRoom
    /// A piece of a stream, by a path on which the peer has not shown that it is there.
    case unprovenPath
    case badCookie
    /// None of the topics is ours.
    case otherTopic
    /// For another incarnation than ours, or from one that claims to be us.
    case wrongIncarnation
    /// An answer to a call that we did not make, or no longer wait for.
    case unexpectedAnswer
    /// Both sides called at once, and this call yields to ours.
    case simultaneousOpen
    /// The identity has a connection already, and that one is not known to be dead.
    case identityInUse
    case tooManyConnections
    case badProbe
    /// It says that a connection is not there, and is not believed.
    case badReset
    /// A handshake packet of another version of the protocol.
    case otherVersion
    case closing
  }

  private var counts: [UInt64]

  init() {
    counts = Array(repeating: 0, count: Reason.allCases.count)
  }

  /// The first reason of which there were fewer before.
  func reason(since before: DropCounters) -> Reason? {
    Reason.allCases.first { self[$0] > before[$0] }
  }

  public internal(set) subscript(reason: Reason) -> UInt64 {
    get { counts[reason.rawValue] }
    set { counts[reason.rawValue] = newValue }
  }
}
