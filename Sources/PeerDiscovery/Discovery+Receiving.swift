import ChatTransport
public import Primitives

extension Discovery {
  /// Takes in one datagram that begins like a beacon, from whichever socket it came.
  public mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    guard configuration.isEnabled, departure == nil else { return statistics.drop(.notListening) }
    guard let link = links.first(where: { $0.interface.index == arrival.path.interface }) else {
      return statistics.drop(.unusedInterface)
    }
    let own = ownAddresses
    let source = arrival.path.remote
    if let reason = link.refusal(of: source, hopLimit: arrival.hopLimit, isOwn: own.contains) {
      return statistics.drop(reason)
    }
    let destination = arrival.path.local
    let isMulticast = destination?.isMulticast ?? false
    guard !isMulticast || destination == configuration.group(source.ip.family) else {
      return statistics.drop(.foreignGroup)
    }
    guard let beacon = parse(datagram) else { return }
    guard beacon.incarnation != local else { return statistics.drop(.own) }
    guard beacon.topics.contains(where: topics.contains) else {
      return statistics.drop(.otherTopic)
    }
    let path = answerPath(to: arrival, by: link)
    act(
      on: beacon, datagramSize: datagram.count, path: path, isMulticast: isMulticast, at: now)
  }

  private mutating func parse(_ datagram: Span<UInt8>) -> Beacon? {
    do {
      return try Beacon(parsing: datagram)
    } catch .unsupportedVersion {
      statistics.drop(.unsupportedVersion)
    } catch {
      statistics.drop(.malformed)
    }
    return nil
  }

  /// The path back to where a datagram came from.
  private func answerPath(to arrival: Arrival, by link: Link) -> Path {
    var remote = arrival.path.remote
    let isScoped = remote.ip.family == .ipv6 && remote.ip.isLinkLocal
    remote.scope = isScoped ? link.interface.index : 0
    let destination = arrival.path.local.flatMap { ownAddresses.contains($0) ? $0 : nil }
    return Path(
      remote: remote, local: destination ?? link.localAddress(facing: remote.ip),
      interface: link.interface.index)
  }

  private mutating func act(
    on beacon: Beacon, datagramSize: Int, path: Path, isMulticast: Bool, at now: Instant
  ) {
    switch beacon.kind {
    case .goodbye:
      guard let known = roster.forget(beacon.incarnation, on: path, at: now) else {
        return statistics.drop(.unknownDeparture)
      }
      tell(.departed(beacon.incarnation, known))
    case .observerQuery:
      guard !configuration.isObserver else { return statistics.drop(.observer) }
      answer(on: path, after: configuration.timing.queryDelay, at: now)
    case .announcement, .query, .answer:
      note(beacon, size: datagramSize, path: path, at: now)
      // The greater one dials, which says all that an answer would; and a peer needs none.
      if !configuration.isObserver, local < beacon.incarnation,
        !connected.contains(beacon.incarnation)
      {
        if beacon.kind == .query {
          answer(on: path, after: configuration.timing.queryDelay, at: now)
        } else if beacon.kind == .announcement, isMulticast {
          answer(on: path, after: configuration.timing.announcementDelay, at: now)
        }
      }
    }
    statistics.beaconsReceived &+= 1
  }

  /// Remembers who sent a beacon and tells of it.
  private mutating func note(_ beacon: Beacon, size: Int, path: Path, at now: Instant) {
    // Nobody answers whom he is connected to.
    let candidate = Candidate(
      incarnation: beacon.incarnation, name: beacon.name, path: path, beaconSize: size,
      deniesConnection: beacon.kind == .answer)
    let announced = Interval.milliseconds(Int64(beacon.nextInMilliseconds))
    let lifetime = max(announced, configuration.timing.minimumInterval) * 3
    let outcome = roster.note(candidate, lifetime: lifetime, at: now, using: &generator)
    statistics.sightingsEvicted = roster.evictionCount
    if !configuration.isObserver {
      tell(candidate, at: now)
    } else if outcome == .new {
      tell(
        .sighted(
          Sighting(
            incarnation: beacon.incarnation, name: beacon.name, paths: [path], lastSeen: now)))
    }
  }

  private mutating func tell(_ candidate: Candidate, at now: Instant) {
    let path = candidate.path
    let key = CandidateKey(
      incarnation: candidate.incarnation, remote: path.remote, interface: path.interface)
    switch told.take(key, host: path.remote.ip, at: now) {
    case nil: tell(.candidate(candidate))
    case .key: break
    case .total: statistics.candidatesWithheld &+= 1
    }
  }

  private mutating func tell(_ event: DiscoveryEvent) {
    guard events.count < configuration.limits.events else {
      statistics.eventsLost &+= 1
      return
    }
    events.append(event)
  }

  private mutating func answer(
    on path: Path, after delay: ClosedRange<Interval>, at now: Instant
  ) {
    guard answered.take(path.remote, host: path.remote.ip, at: now) == nil else {
      statistics.answersWithheld &+= 1
      return
    }
    answers.insert(path, priority: now + generator.interval(in: delay))
  }
}
