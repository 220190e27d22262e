import Primitives

/// The ways to one peer: the one in use, and others that have been seen.
///
/// A path carries data only once the peer has answered a probe on it (RFC 9000, section 8.2).
/// Another one takes over when the one in use has gone silent, or when the peer has turned to it.
struct PathSet {
  private struct Entry {
    var path: Path
    var isValidated: Bool
    var lastHeard: Instant
    /// What the answer to our probe has to repeat.
    var nonce: UInt64?
    var lastProbed: Instant?
    /// The number of the turn that led away from it since it was heard last; 0 where none did.
    var leftInTurn = 0
  }

  /// The shortest time between two probes of one path.
  private static let probeInterval = Interval.milliseconds(500)

  private var entries: [Entry]
  private var active = 0
  private var turnCount = 0
  private let limit: Int

  init(active path: Path, limit: Int, at now: Instant) {
    entries = [Entry(path: path, isValidated: true, lastHeard: now)]
    self.limit = limit
  }

  /// The path that data goes by.
  var current: Path { entries[active].path }

  /// All paths on which the peer has answered.
  var validated: [Path] { entries.filter(\.isValidated).map(\.path) }

  func isValidated(_ remote: SocketAddress) -> Bool {
    entries.contains { $0.isValidated && $0.path.remote == remote }
  }

  /// Whether the path is not validated and was not probed a moment ago.
  func needsProbe(_ path: Path, at now: Instant) -> Bool {
    guard let index = index(of: path) else { return true }
    guard !entries[index].isValidated else { return false }
    return entries[index].lastProbed.map { $0 + Self.probeInterval <= now } ?? true
  }

  /// Notes that a packet came by `path`; `isNewest` where none with a larger number came before.
  ///
  /// A peer sends by one path at a time. Where it turned to another one, the old one may be broken
  /// for us too, so we follow, as long as we know that the new one leads to it.
  mutating func noteHeard(_ path: Path, isNewest: Bool, at now: Instant) {
    guard let index = index(of: path) else { return }
    if let local = path.local { entries[index].path.local = local }
    entries[index].lastHeard = now
    entries[index].leftInTurn = 0
    if isNewest, entries[index].isValidated { active = index }
  }

  /// Takes over our own address on a known path: that to which the peer sends now. The one that was
  /// noted may be gone, and nothing can be sent from it.
  mutating func noteLocal(of path: Path) {
    guard let index = index(of: path), let local = path.local else { return }
    entries[index].path.local = local
  }

  /// Leaves it to the system which of our addresses is sent from, on paths where the one that was
  /// noted is not there any more.
  mutating func keepLocals(_ addresses: [IPAddress]) {
    for index in entries.indices {
      guard let local = entries[index].path.local, !addresses.contains(local) else { continue }
      entries[index].path.local = nil
    }
  }

  /// Notes that a probe with `nonce` goes out on `path`. Where too many are waited for, the one
  /// that has waited longest is given up; a path that has answered is never lost by that.
  mutating func noteProbe(on path: Path, nonce: UInt64, at now: Instant) {
    if let index = index(of: path) {
      noteLocal(of: path)
      entries[index].nonce = nonce
      entries[index].lastProbed = now
      return
    }
    if entries.count(where: { !$0.isValidated }) >= limit {
      forgetOldest { !$0.isValidated }
    }
    entries.append(
      Entry(path: path, isValidated: false, lastHeard: now, nonce: nonce, lastProbed: now))
  }

  /// Takes in the answer to a probe; false where none with this nonce waits on this path. Where
  /// there are more paths than may be kept, the one that was heard last longest ago goes, but never
  /// the one in use.
  mutating func validate(_ path: Path, nonce: UInt64, at now: Instant) -> Bool {
    // What we send by one interface to an address of this very host comes back by another.
    let index = entries.firstIndex { $0.path.remote == path.remote && $0.nonce == nonce }
    guard let index else { return false }
    noteLocal(of: path)
    entries[index].nonce = nil
    entries[index].isValidated = true
    entries[index].lastHeard = now
    entries[index].leftInTurn = 0
    if entries.count(where: \.isValidated) > limit { forgetOldest(where: \.isValidated) }
    return true
  }

  /// Turns to another validated path, if there is one: of those that have not failed since they
  /// were heard, the one that was heard last; otherwise the one that failed longest ago. So all
  /// have their turn, where a cable that is pulled takes several paths with it.
  mutating func switchAway() {
    turnCount += 1
    entries[active].leftInTurn = turnCount
    let others = entries.indices.filter { $0 != active && entries[$0].isValidated }
    let best = others.min { left, right in
      let (left, right) = (entries[left], entries[right])
      return left.leftInTurn == right.leftInTurn
        ? left.lastHeard > right.lastHeard : left.leftInTurn < right.leftInTurn
    }
    if let best { active = best }
  }

  private mutating func forgetOldest(where isCandidate: (Entry) -> Bool) {
    let candidates = entries.indices.filter { $0 != active && isCandidate(entries[$0]) }
    guard let oldest = candidates.min(by: { entries[$0].lastHeard < entries[$1].lastHeard })
    else { return }
    entries.remove(at: oldest)
    if oldest < active { active -= 1 }
  }

  /// Paths are told apart by where they lead and by which interface; our own address there may
  /// change, and a group we were addressed by says nothing.
  private func index(of path: Path) -> Int? {
    entries.firstIndex {
      $0.path.remote == path.remote && $0.path.interface == path.interface
    }
  }
}
