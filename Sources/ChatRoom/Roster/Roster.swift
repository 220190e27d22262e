import ChatCodec
import ChatTransport
import Primitives

/// All authors that the room knows of, in the order of their identities. Of each identity only the
/// newest life is kept.
struct Roster: Sendable {
  private(set) var presentCount = 0
  var authors: [Author] = []
  private var arrivals: UInt64 = 0
  private var departures: UInt64 = 0

  func index(of identity: Identity) -> Int? {
    let index = authors.partitioningIndex { $0.incarnation.identity >= identity }
    guard index < authors.count, authors[index].incarnation.identity == identity else { return nil }
    return index
  }

  /// The member at `index`; nobody who is absent is one.
  func member(at index: Int) -> Member? {
    authors[index].presence.map {
      Member(
        incarnation: authors[index].incarnation, name: $0.name.text, displayName: $0.displayName,
        peer: $0.peer, path: $0.path)
    }
  }

  /// Makes somebody present, whom the room need not know yet, and returns his index. His earlier
  /// life, which is absent, is forgotten.
  mutating func admit(
    _ incarnation: Incarnation, owedAfter: UInt64, name: ChatName, peer: PeerID, path: Path?
  ) -> Int {
    let index = authors.partitioningIndex { $0.incarnation.identity >= incarnation.identity }
    if index == authors.count || authors[index].incarnation.identity != incarnation.identity {
      authors.insert(Author(incarnation, owedAfter: owedAfter), at: index)
    } else if authors[index].incarnation != incarnation {
      authors[index] = Author(incarnation, owedAfter: owedAfter)
    }
    precondition(authors[index].presence == nil, "nobody is admitted twice")
    authors[index].presence = Presence(name: name, peer: peer, path: path, arrival: arrivals)
    arrivals += 1
    presentCount += 1
    return index
  }

  /// Makes a member absent.
  mutating func dismiss(_ index: Int) {
    precondition(authors[index].presence != nil, "only a member can leave")
    authors[index].presence = nil
    authors[index].departure = departures
    departures += 1
    presentCount -= 1
  }

  /// Forgets those who have been absent longest, beyond `limit` of them.
  mutating func forgetAbsent(beyond limit: Int) {
    while authors.count - presentCount > limit {
      let absent = authors.indices.filter { authors[$0].presence == nil }
      guard let oldest = absent.min(by: { authors[$0].departure < authors[$1].departure }) else {
        return
      }
      authors.remove(at: oldest)
    }
  }

  /// Finds display names anew, after somebody came or left. Returns that of oneself, who has the
  /// first right to a name.
  mutating func resolveNames(own: ChatName?, _ identity: Identity) -> String? {
    let present = authors.indices.compactMap { index in
      authors[index].presence.map { (index, $0) }
    }.sorted { $0.1.arrival < $1.1.arrival }
    var holders = present.map {
      DisplayNames.Holder(
        name: $1.name.text, folded: $1.folded, identity: authors[$0].incarnation.identity)
    }
    if let own {
      holders.insert(
        DisplayNames.Holder(
          name: own.text, folded: DisplayNames.folded(own.text), identity: identity),
        at: 0)
    }
    let names = DisplayNames.resolve(holders)
    for ((index, _), name) in zip(present, names.suffix(present.count)) {
      authors[index].presence?.displayName = name
    }
    return own == nil ? nil : names.first
  }
}
