public import ChatTransport
public import Primitives

/// Finds peers on the local network by multicast beacons, and lets them find us. No I/O.
///
/// The contract is that of `DatagramMachine`: after `interfacesChanged`, `receive`, `advance` or
/// `goodbye`, pull `nextTransmit` and `nextEvent` until they return `nil`, then read `deadline`,
/// and call `advance` no later than that. After `interfacesChanged` the owner also makes the
/// memberships of its receive sockets those of `memberships`.
///
/// All of it is sent from the unicast socket of the path's family, with the path's local address
/// and interface set on each datagram: IPv4 multicast with a TTL of 1, and IPv6, to a group or not,
/// with a hop limit of 255.
///
/// What is sent because of a beacon is at most one datagram, to where it came from: either the
/// answer from here, which is smaller than what it answers, or, where we are the greater
/// incarnation, what the owner sends to the candidate, which is at most three times as large.
public struct Discovery: ~Copyable, DatagramMachine, Sendable {
  public let configuration: DiscoveryConfiguration
  /// Who we are. A peer with the same identity and another epoch is somebody else here; what that
  /// means is for the connection to decide.
  public let local: Incarnation
  public let name: String
  /// What we share with those whom we want to find, ascending.
  public let topics: [Topic]

  /// Who is connected: the more, the rarer are beacons, and nobody of them is answered. Kept up to
  /// date by the owner; only asked, never gone through.
  public var connected: Set<Incarnation> = []

  /// How many peers there are besides us.
  public var peerCount: Int { connected.count }

  public internal(set) var statistics = DiscoveryStatistics()

  /// The interfaces in use, by index.
  var links: [Link] = []
  var ownAddresses: Set<IPAddress> = []
  var roster: Roster
  var told: Allowance<CandidateKey>
  var answered: Allowance<SocketAddress>
  var answers = PriorityQueue<Instant, Path>()
  var outgoing = Queue<Outgoing>()
  var events = Queue<DiscoveryEvent>()
  var departure: Departure?
  var generator: KeyedGenerator

  /// Creates a machine that knows of no interface yet, and so sends nothing.
  ///
  /// - Parameters:
  ///   - name: at most 64 bytes of UTF-8.
  ///   - topics: one to eight.
  ///   - secret: the key of all that is random here.
  public init(
    configuration: DiscoveryConfiguration, local: Incarnation, name: String, topics: Set<Topic>,
    secret: Secret
  ) {
    precondition(name.utf8.count <= Beacon.nameLimit, "a name has at most 64 bytes")
    precondition((1...Beacon.topicLimit).contains(topics.count), "there are 1 to 8 topics")
    self.configuration = configuration
    self.local = local
    self.name = name
    self.topics = topics.sorted()
    let limits = configuration.limits
    roster = Roster(limit: limits.sightings, pathLimit: limits.pathsPerSighting)
    told = Allowance(
      perKey: limits.candidatesPerPathAndSecond, perHost: limits.candidatesPerHostAndSecond,
      total: limits.candidatesPerSecond)
    answered = Allowance(
      perKey: limits.answersPerAddressAndSecond, perHost: limits.answersPerHostAndSecond,
      total: limits.answersPerSecond)
    generator = KeyedGenerator(key: secret)
  }

  /// What the receive sockets have to have joined, by interface, IPv4 before IPv6.
  public var memberships: [Membership] { links.flatMap(\.memberships) }

  /// Who was seen and, by what his beacons announced, may still be there, in the order of
  /// incarnations. Three intervals without a beacon end that.
  public func sightings(at now: Instant) -> [Sighting] { roster.sightings(at: now) }

  public var deadline: Instant? {
    if let departure { return departure.next }
    return links.reduce(answers.firstPriority) { Instant.earlier($0, $1.nextBeacon) }
  }

  /// Whether all goodbyes have been handed out; nothing more is sent then.
  public var hasDeparted: Bool {
    if let departure { return departure.next == nil && outgoing.isEmpty }
    return false
  }

  /// Takes the interfaces that the host has now; at the start, and whenever any of them changes.
  /// One that is new, or whose addresses have changed, gets a burst of beacons.
  public mutating func interfacesChanged(_ interfaces: [NetworkInterface], at now: Instant) {
    guard configuration.isEnabled, departure == nil else { return }
    ownAddresses = Set(interfaces.flatMap { $0.addresses.map(\.ip) })
    var updated: [Link] = []
    for interface in interfaces.sorted(by: { $0.index < $1.index }) {
      guard updated.last?.interface.index != interface.index,
        var link = Link(interface, configuration: configuration)
      else { continue }
      if let known = links.first(where: { $0.interface.index == interface.index }),
        known.interface.name == interface.name, known.outlets == link.outlets
      {
        link = known
        link.interface = interface
      } else {
        link.nextBeacon = now + generator.interval(in: .zero...configuration.timing.burstJitter)
      }
      updated.append(link)
    }
    links = updated
    roster.forgetPaths { index in updated.contains { $0.interface.index == index } }
  }

  /// Says goodbye on every interface, three times within 40 ms, and stops listening. An observer
  /// was never there, and says nothing.
  public mutating func goodbye(at now: Instant) {
    guard departure == nil else { return }
    outgoing.removeAll()
    let isSilent = configuration.isObserver || links.isEmpty
    departure = Departure(next: isSilent ? nil : now, remaining: configuration.timing.goodbyeCount)
    advance(to: now)
  }

  /// The next thing that was seen, or `nil` where there is nothing more to tell for now.
  public mutating func nextEvent() -> DiscoveryEvent? { events.popFirst() }
}

/// What the number of times that a candidate is told is limited for.
struct CandidateKey: Hashable, Sendable {
  var incarnation: Incarnation
  var remote: SocketAddress
  var interface: UInt32
}

/// A beacon that is due; its content is settled when it is written.
struct Outgoing: Sendable {
  var kind: Beacon.Kind
  var path: Path
}

/// How far the goodbye is.
struct Departure: Sendable {
  /// When it is said next; `nil` where it has been said often enough.
  var next: Instant?
  var remaining: Int
}
