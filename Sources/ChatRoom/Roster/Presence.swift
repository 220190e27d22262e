import ChatCodec
import ChatTransport
import Primitives

/// That somebody is a member of the room, and by what way.
struct Presence: Sendable {
  var name: ChatName
  var folded: String
  var displayName: String
  var peer: PeerID
  var path: Path?
  /// Counts up with each joining, for the right to a name.
  var arrival: UInt64
  /// Whether he has said goodbye, and stays only until his last lines are in or given up.
  var isLeaving = false

  init(name: ChatName, peer: PeerID, path: Path?, arrival: UInt64) {
    self.name = name
    folded = DisplayNames.folded(name.text)
    displayName = name.text
    self.peer = peer
    self.path = path
    self.arrival = arrival
  }
}
