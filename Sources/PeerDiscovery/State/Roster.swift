import ChatTransport
import Primitives

/// Who was seen where, from beacons alone; never more than its limit.
struct Roster: Sendable {
  enum Outcome {
    /// Seen for the first time, or again after it had been given up.
    case new
    case known
  }

  private struct PathEntry: Sendable {
    var path: Path
    var lastSeen: Instant
    var expires: Instant

    func leads(to other: Path) -> Bool {
      path.remote == other.remote && path.interface == other.interface
    }
  }

  private struct Entry: Sendable {
    var incarnation: Incarnation
    var name: String
    var paths: [PathEntry]
    var lastSeen: Instant
  }

  /// How many entries are looked at to find one that makes room.
  private static var evictionSampleSize: Int { 8 }

  private let limit: Int
  private let pathLimit: Int
  private var entries: [Entry] = []
  private var places: [Incarnation: Int] = [:]
  private(set) var evictionCount: UInt64 = 0

  init(limit: Int, pathLimit: Int) {
    self.limit = limit
    self.pathLimit = pathLimit
  }

  /// How many are remembered, those who were given up among them.
  var count: Int { entries.count }

  /// Everybody who has not been given up at `now`, in the order of their incarnations.
  func sightings(at now: Instant) -> [Sighting] {
    entries.compactMap { entry in
      let paths = entry.paths.filter { $0.expires > now }.map(\.path)
      guard !paths.isEmpty else { return nil }
      return Sighting(
        incarnation: entry.incarnation, name: entry.name, paths: paths, lastSeen: entry.lastSeen)
    }.sorted { $0.incarnation < $1.incarnation }
  }

  /// Notes that `candidate` was seen and will be believed to be there for `lifetime`.
  mutating func note(
    _ candidate: Candidate, lifetime: Interval, at now: Instant,
    using generator: inout KeyedGenerator
  ) -> Outcome {
    let seen = PathEntry(path: candidate.path, lastSeen: now, expires: now + lifetime)
    if let place = places[candidate.incarnation] {
      return refresh(place, with: seen, name: candidate.name, at: now)
    }
    if entries.count >= limit { evict(using: &generator) }
    places[candidate.incarnation] = entries.count
    entries.append(
      Entry(
        incarnation: candidate.incarnation, name: candidate.name, paths: [seen], lastSeen: now))
    return .new
  }

  /// Forgets one path of `incarnation`, and returns it as it was noted; `nil` where there is none.
  mutating func forget(_ incarnation: Incarnation, on path: Path, at now: Instant) -> Path? {
    guard let place = places[incarnation],
      let index = entries[place].paths.firstIndex(where: { $0.leads(to: path) })
    else { return nil }
    let known = entries[place].paths.remove(at: index)
    if entries[place].paths.isEmpty { remove(place) }
    return known.expires > now ? known.path : nil
  }

  /// Forgets all paths by interfaces that `isUsed` denies.
  mutating func forgetPaths(unless isUsed: (UInt32) -> Bool) {
    for place in entries.indices.reversed() {
      entries[place].paths.removeAll { !isUsed($0.path.interface) }
      if entries[place].paths.isEmpty { remove(place) }
    }
  }

  private mutating func refresh(
    _ place: Int, with seen: PathEntry, name: String, at now: Instant
  ) -> Outcome {
    entries[place].paths.removeAll { $0.expires <= now }
    guard !entries[place].paths.isEmpty else {
      entries[place].paths = [seen]
      entries[place].name = name
      entries[place].lastSeen = now
      return .new
    }
    entries[place].lastSeen = now
    if let index = entries[place].paths.firstIndex(where: { $0.leads(to: seen.path) }) {
      entries[place].paths[index] = seen
      entries[place].name = name
      return .known
    }
    // A new path does not change the name: whoever claims somebody's identity later, from
    // elsewhere, is not to rename him.
    if entries[place].paths.count >= pathLimit,
      let stalest = entries[place].paths.indices.min(by: {
        entries[place].paths[$0].lastSeen < entries[place].paths[$1].lastSeen
      })
    {
      entries[place].paths.remove(at: stalest)
    }
    entries[place].paths.append(seen)
    return .known
  }

  /// Makes room by forgetting the one not seen for longest among a few drawn at random. Refusing
  /// newcomers instead would let one short flood of forged beacons keep everybody out for minutes.
  private mutating func evict(using generator: inout KeyedGenerator) {
    var oldest = generator.number(below: entries.count)
    for _ in 1..<Self.evictionSampleSize {
      let other = generator.number(below: entries.count)
      if entries[other].lastSeen < entries[oldest].lastSeen { oldest = other }
    }
    remove(oldest)
    evictionCount &+= 1
  }

  private mutating func remove(_ place: Int) {
    places[entries[place].incarnation] = nil
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.incarnation] = place
  }
}
