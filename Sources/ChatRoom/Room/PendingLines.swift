import ChatTransport
import Primitives

/// Lines of ours that are under way, and to whom.
struct PendingLines: Sendable {
  private struct Entry {
    let message: MessageID
    let sequence: UInt64
    /// Those of whom nothing has been heard about it.
    var peers: [PeerID]
  }

  /// In the order of the transport's count.
  private var entries: [Entry] = []
  /// How many outcomes are still to come: one for each line and peer.
  private(set) var outcomeCount = 0
  /// The last lines of which nothing may ever be heard, for a refusal follows at once.
  private var noted = Queue<(message: MessageID, sequence: UInt64)>()
  private static let notedLimit = 256

  /// Expects an outcome from each of `peers`.
  mutating func insert(_ message: MessageID, _ sequence: UInt64, peers: [PeerID]) {
    guard !peers.isEmpty else { return }
    let index = entries.partitioningIndex { $0.message >= message }
    entries.insert(Entry(message: message, sequence: sequence, peers: peers), at: index)
    outcomeCount += peers.count
  }

  /// Remembers for a while which line a message was, over a transport that does not acknowledge.
  mutating func note(_ message: MessageID, _ sequence: UInt64) {
    noted.append((message, sequence))
    if noted.count > Self.notedLimit { noted.popFirst() }
  }

  /// Takes in an outcome, and returns the number of the line that it is about.
  mutating func settle(_ message: MessageID, of peer: PeerID) -> UInt64? {
    let index = entries.partitioningIndex { $0.message >= message }
    guard index < entries.count, entries[index].message == message else {
      return (0..<noted.count).first { noted[$0].message == message }.map { noted[$0].sequence }
    }
    let sequence = entries[index].sequence
    if let place = entries[index].peers.firstIndex(of: peer) {
      entries[index].peers.remove(at: place)
      outcomeCount -= 1
    }
    if entries[index].peers.isEmpty { entries.remove(at: index) }
    return sequence
  }

  /// Nothing more will be heard of this peer.
  mutating func forget(_ peer: PeerID) {
    for index in entries.indices {
      guard let place = entries[index].peers.firstIndex(of: peer) else { continue }
      entries[index].peers.remove(at: place)
      outcomeCount -= 1
    }
    entries.removeAll { $0.peers.isEmpty }
  }
}
