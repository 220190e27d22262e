import ChatTransport
import DatagramPeer
import Primitives

/// An endpoint as it lives on a host: with a clock of its own, a socket that keeps what arrives
/// while the program is suspended, and a user who sometimes does not look.
struct SimulatedEndpoint: ~Copyable, DatagramMachine {
  var endpoint: DatagramEndpoint
  /// Whether its user reads the events.
  var isRead = true
  /// The probability that bits of a datagram flip on its way here.
  var corruption = 0.0
  let sabotage: Saboteur?

  /// How often a deadline stood in the past although `advance` had been called and all datagrams
  /// had been pulled.
  private(set) var staleDeadlineCount = 0
  private(set) var advanceCount = 0
  private var hasAdvanced = false
  /// Datagrams pulled after the latest call.
  private(set) var pullCount = 0
  private(set) var largestPullCount = 0

  /// How far its clock is ahead.
  private var clockLead = Interval.zero
  private var suspendedUntil: Instant?
  private var socket: [(bytes: [UInt8], arrival: Arrival)] = []
  private var generator: SplitMix64

  /// The datagrams that a socket's buffer holds.
  private static let socketCapacity = 256

  init(_ endpoint: consuming DatagramEndpoint, seed: UInt64, sabotage: Saboteur?) {
    self.endpoint = endpoint
    self.sabotage = sabotage
    generator = SplitMix64(seed: ~seed)
  }

  /// The time by the clock of this host.
  func local(_ now: Instant) -> Instant { now + clockLead }

  mutating func jumpClock(by interval: Interval) { clockLead = clockLead + interval }

  mutating func suspend(until end: Instant) { suspendedUntil = end }

  /// Lets the program run on: it reads its socket before it looks at its timers.
  mutating func resume(at now: Instant) {
    guard suspendedUntil != nil else { return }
    suspendedUntil = nil
    for (bytes, arrival) in socket {
      endpoint.receive(bytes.span, arrival: arrival, at: local(now))
    }
    socket.removeAll()
  }

  var isSuspended: Bool { suspendedUntil != nil }

  mutating func nextEvent() -> TransportEvent? {
    guard let sabotage else { return endpoint.nextEvent() }
    return sabotage.nextEvent { endpoint.nextEvent() }
  }

  // MARK: The machine

  mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    pullCount = 0
    // The checksum of UDP finds every single flipped bit, and of many of them all but 1 in 65,536:
    // those that it does not find would be forgeries, and nothing authenticates datagrams yet.
    if corruption > 0, generator.unitInterval() < corruption { return }
    if sabotage?.hears(arrival.path) == false { return }
    guard !isSuspended else {
      if socket.count < Self.socketCapacity {
        socket.append((datagram.copy(0..<datagram.count), arrival))
      }
      return
    }
    endpoint.receive(datagram, arrival: arrival, at: local(now))
  }

  mutating func advance(to now: Instant) {
    pullCount = 0
    if let suspendedUntil {
      guard now >= suspendedUntil else { return }
      resume(at: now)
    }
    endpoint.advance(to: local(now))
    sabotage?.advance(to: now)
    advanceCount += 1
    if sabotage?.kind == .standsStill { staleDeadlineCount += 1 }
    hasAdvanced = true
  }

  private mutating func checkDeadline(at now: Instant) {
    guard hasAdvanced else { return }
    hasAdvanced = false
    if let deadline = endpoint.deadline, deadline <= local(now) { staleDeadlineCount += 1 }
  }

  mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    guard !isSuspended else { return nil }
    if let transmit = sabotage?.nextTransmit(into: &buffer) { return transmit }
    guard let transmit = endpoint.nextTransmit(into: &buffer, at: local(now)) else {
      checkDeadline(at: now)
      return nil
    }
    sabotage?.note(transmit.path)
    pullCount += 1
    largestPullCount = max(largestPullCount, pullCount)
    return transmit
  }

  /// After many stale ones the endpoint is left alone, so that the run ends and can say so.
  var deadline: Instant? {
    if let suspendedUntil { return suspendedUntil }
    guard staleDeadlineCount < 1_000 else { return nil }
    return Instant.earlier(endpoint.deadline.map { $0 - clockLead }, sabotage?.deadline)
  }
}
