import ChatTransport

/// What the room knows of a peer of the transport.
struct PeerState: Sendable {
  let id: PeerID
  let information: PeerInformation
  /// Those for whom it speaks: itself, or, where it is a relay, many. In the order of greeting.
  var authors: [Incarnation] = []
  /// What came before the greeting of its author.
  var waiting = WaitingRecords()
  /// What of our own it is to get as soon as there is room in the queue to it.
  var owed: Owed?
  /// Lines of ours that were given up, and of which it does not know that yet.
  var withheld: [ClosedRange<UInt64>] = []

  /// Our greeting and the lines that go with it.
  struct Owed: Sendable {
    /// The greeting until it is sent, and behind it the lines.
    var isGreeted = false
    var owedAfter: UInt64
    var lines: ArraySlice<RecentLines.Entry>
  }

  init(id: PeerID, information: PeerInformation) {
    self.id = id
    self.information = information
  }
}
