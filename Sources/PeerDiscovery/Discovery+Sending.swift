import ChatTransport
public import Primitives

extension Discovery {
  public mutating func advance(to now: Instant) {
    guard departure == nil else { return advanceDeparture(to: now) }
    for index in links.indices {
      guard let due = links[index].nextBeacon, due <= now else { continue }
      beacon(onLink: index, at: now)
    }
    while let due = answers.firstPriority, due <= now, let path = answers.popFirst() {
      outgoing.append(Outgoing(kind: .answer, path: path))
    }
  }

  public mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    while let next = outgoing.popFirst() {
      // The interface may have gone since.
      guard let link = links.first(where: { $0.interface.index == next.path.interface }) else {
        continue
      }
      let beacon = Beacon(
        kind: next.kind, incarnation: local,
        nextInMilliseconds: announcedInterval(of: next.kind, on: link), topics: topics, name: name)
      beacon.emit(into: &buffer)
      if next.kind == .answer {
        statistics.answersSent &+= 1
      } else {
        statistics.beaconsSent &+= 1
      }
      return Transmit(path: next.path)
    }
    return nil
  }

  /// Sends what is due on one interface, and settles when the next is. In a burst that is a beacon
  /// to each of its networks; after it the networks take turns, so that an interface with two
  /// families does not carry twice as many.
  private mutating func beacon(onLink index: Int, at now: Instant) {
    let timing = configuration.timing
    let outlets = links[index].outlets
    if links[index].burstCount < timing.burst.count {
      // A newcomer asks, so that it also finds those whose own beacon is not due for a while.
      let kind: Beacon.Kind = configuration.isObserver ? .observerQuery : .query
      for outlet in outlets { send(kind, by: outlet, onLink: index) }
      links[index].burstCount += 1
    } else {
      send(.announcement, by: outlets[links[index].turn], onLink: index)
      links[index].turn = (links[index].turn + 1) % outlets.count
    }
    links[index].nextBeacon = nextBeacon(after: links[index].burstCount, at: now)
  }

  private mutating func send(_ kind: Beacon.Kind, by outlet: Link.Outlet, onLink index: Int) {
    let path = links[index].path(of: outlet, port: configuration.port)
    outgoing.append(Outgoing(kind: kind, path: path))
  }

  /// When the next beacon is due, counted from now and not from when the last one was: after a
  /// suspension nothing has to be made up for.
  private mutating func nextBeacon(after burstCount: Int, at now: Instant) -> Instant? {
    let timing = configuration.timing
    if burstCount < timing.burst.count {
      let gap = timing.burst[burstCount] - timing.burst[burstCount - 1]
      return now + gap + generator.interval(in: .zero...timing.burstJitter)
    }
    guard !configuration.isObserver else { return nil }
    let interval = timing.steadyInterval(peerCount: peerCount)
    let jitter = interval * timing.intervalJitterPercent / 100
    return now + generator.interval(in: (interval - jitter)...(interval + jitter))
  }

  /// The time between two beacons of the same network, as its receivers see them; saturates.
  private func announcedInterval(of kind: Beacon.Kind, on link: Link) -> UInt16 {
    guard kind != .goodbye, kind != .observerQuery else { return 0 }
    let interval = configuration.timing.steadyInterval(peerCount: peerCount)
    let milliseconds = (interval * Int64(link.outlets.count)).nanoseconds / 1_000_000
    return UInt16(clamping: milliseconds)
  }

  private mutating func advanceDeparture(to now: Instant) {
    guard let due = departure?.next, due <= now, let remaining = departure?.remaining else {
      return
    }
    for index in links.indices {
      for outlet in links[index].outlets { send(.goodbye, by: outlet, onLink: index) }
    }
    let next = remaining > 1 ? now + configuration.timing.goodbyeSpacing : nil
    departure = Departure(next: next, remaining: remaining - 1)
  }
}
