import ChatTransport
import PeerDiscovery
import Primitives

/// A beacon that a machine handed out, with its bytes and when.
struct Sent: Hashable {
  var at: Instant
  var path: Path
  var bytes: [UInt8]

  var beacon: Beacon? { try? Beacon(parsing: bytes.span) }
}

/// A discovery machine with its owner: drives it by its contract, and keeps what comes out.
final class Station {
  var discovery: Discovery
  private(set) var now = Instant.zero
  private(set) var sent: [Sent] = []
  private(set) var events: [DiscoveryEvent] = []

  init(
    identity: UInt64 = 100, epoch: UInt64 = 1, name: String = "Luke", topics: Set<Topic> = [.lan],
    seed: UInt64 = 1, configuration: DiscoveryConfiguration = DiscoveryConfiguration(),
    interfaces: [NetworkInterface] = [.ethernet]
  ) {
    discovery = Discovery(
      configuration: configuration,
      local: Incarnation(identity: Identity(high: 0, low: identity), epoch: epoch), name: name,
      topics: topics, secret: Secret(seed: seed))
    change(interfaces)
  }

  var candidates: [Candidate] {
    events.compactMap { if case .candidate(let candidate) = $0 { candidate } else { nil } }
  }

  var answers: [Sent] { sent.filter { $0.beacon?.kind == .answer } }
  var local: Incarnation { discovery.local }
  var statistics: DiscoveryStatistics { discovery.statistics }
  var deadline: Instant? { discovery.deadline }
  var hasDeparted: Bool { discovery.hasDeparted }
  var memberships: [Membership] { discovery.memberships }
  var sightings: [Sighting] { discovery.sightings(at: now) }

  func change(_ interfaces: [NetworkInterface]) {
    discovery.interfacesChanged(interfaces, at: now)
    pull()
  }

  func receive(_ bytes: [UInt8], _ arrival: Arrival) {
    discovery.receive(bytes.span, arrival: arrival, at: now)
    pull()
  }

  func receive(_ beacon: Beacon, _ arrival: Arrival) {
    receive(beacon.bytes, arrival)
  }

  func goodbye() {
    discovery.goodbye(at: now)
    pull()
  }

  /// Lets time pass, stopping at every deadline on the way.
  func run(until end: Instant) {
    while let deadline = discovery.deadline, deadline <= end {
      now = max(now, deadline)
      discovery.advance(to: now)
      pull()
    }
    now = max(now, end)
  }

  /// Lets time pass without a call on the way, as when the host was suspended.
  func jump(by interval: Interval) {
    now = now + interval
    discovery.advance(to: now)
    pull()
  }

  func run(for interval: Interval) {
    run(until: now + interval)
  }

  func clear() {
    sent = []
    events = []
  }

  private func pull() {
    while let next = nextTransmit() { sent.append(next) }
    while let event = discovery.nextEvent() { events.append(event) }
  }

  private func nextTransmit() -> Sent? {
    var path: Path?
    let bytes = [UInt8](capacity: 1_200) { (buffer: inout OutputSpan<UInt8>) in
      path = discovery.nextTransmit(into: &buffer, at: now)?.path
    }
    return path.map { Sent(at: now, path: $0, bytes: bytes) }
  }
}
