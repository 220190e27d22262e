import Primitives

extension VirtualFabric {
  /// Takes a datagram from a host and puts under way what links make of it.
  mutating func send(_ bytes: [UInt8], from id: HostID, on path: Path, at now: Instant) {
    let place = placeOfRoute(for: path, from: id)
    self[id].routes[place].datagramCount += 1
    self[id].routes[place].byteCount += bytes.count
    statistics.sent += 1
    statistics.sentBytes += bytes.count
    let route = self[id].routes[place]
    record(.sent, bytes, on: route, from: id, at: now)
    let headers = route.source.ip.family == .ipv4 ? 28 : 48
    if let reason = route.dropReason ?? (bytes.count + headers > mtu ? .tooLarge : nil) {
      statistics.count(reason)
      return record(.dropped(reason), bytes, on: route, from: id, at: now)
    }
    for target in route.targets {
      let delivery = Delivery(
        bytes: bytes, sender: id.number, receiver: target.host, link: target.link,
        arrival: target.arrival, port: route.path.remote.port)
      offer(delivery, over: target.link, flow: route.flow, at: now)
    }
  }

  /// Puts a datagram under way that no host sent and no link touches.
  mutating func inject(
    _ bytes: [UInt8], into id: HostID, arrival: Arrival, at now: Instant, due: Instant
  ) {
    statistics.injected += 1
    let delivery = Delivery(
      bytes: bytes, sender: nil, receiver: id.number, link: nil, arrival: arrival,
      port: self[id].configuration.port)
    record(.sent, delivery, at: now)
    insert(delivery, due: due, at: now)
  }

  /// Takes the next datagram off the network, which is due at `now`, and counts it; `nil` where it
  /// does not reach its receiver.
  mutating func takeDue(at now: Instant) -> Delivery? {
    guard let delivery = underWay.popFirst() else { return nil }
    guard let host = hosts[delivery.receiver],
      delivery.link == nil || host.isUp(delivery.arrival.path.interface)
    else {
      drop(delivery, .receiverGone, at: now)
      return nil
    }
    if isCut(delivery) {
      drop(delivery, .partitioned, at: now)
      return nil
    }
    if let link = delivery.link { links[link].model.statistics.delivered += 1 }
    statistics.delivered += 1
    statistics.deliveredBytes += delivery.bytes.count
    record(.delivered, delivery, at: now)
    return delivery
  }

  private mutating func placeOfRoute(for path: Path, from id: HostID) -> Int {
    let place = self[id].routes.place(of: path)
    if self[id].routes[place].topology != topology {
      var route = self[id].routes[place]
      resolve(&route, from: self[id])
      self[id].routes[place] = route
    }
    return place
  }

  private mutating func offer(
    _ delivery: Delivery, over link: Int, flow: UInt32, at now: Instant
  ) {
    let fate = links[link].model.decide(size: delivery.bytes.count, flow: flow, at: now)
    if fate.isReordered { statistics.reordered += 1 }
    guard let arrival = fate.arrival else {
      return drop(delivery, fate.isQueueFull ? .queueFull : .lost, at: now)
    }
    // Asked after the fate, so that a partition does not move the fates of what follows.
    if isCut(delivery) { return drop(delivery, .partitioned, at: now) }
    if hasBlackHoles, !isPassing(delivery.bytes.count, delivery) {
      return drop(delivery, .tooLarge, at: now)
    }
    insert(delivery, due: arrival, at: now)
    if let arrival = fate.duplicateArrival {
      statistics.duplicated += 1
      insert(delivery, due: arrival, at: now)
    }
  }

  private mutating func insert(_ delivery: Delivery, due: Instant, at now: Instant) {
    guard underWay.count < capacity else {
      if let link = delivery.link { links[link].model.statistics.overflowed += 1 }
      return drop(delivery, .overflowed, at: now)
    }
    underWay.insert(delivery, due: due)
  }

  /// Counts a datagram that will not reach one receiver.
  private mutating func drop(
    _ delivery: Delivery, _ reason: CapturedDatagram.DropReason, at now: Instant
  ) {
    statistics.count(reason)
    record(.dropped(reason), delivery, at: now)
  }

  private func record(
    _ event: CapturedDatagram.Event, _ bytes: [UInt8], on route: Route, from id: HostID,
    at now: Instant
  ) {
    tap?(
      CapturedDatagram(
        time: now, event: event, source: route.source, destination: route.path.remote,
        sender: id, receiver: nil, bytes: bytes))
  }

  private func record(_ event: CapturedDatagram.Event, _ delivery: Delivery, at now: Instant) {
    let path = delivery.arrival.path
    tap?(
      CapturedDatagram(
        time: now, event: event, source: path.remote,
        destination: SocketAddress(
          ip: path.local ?? .unspecified(path.remote.ip.family), port: delivery.port),
        sender: delivery.sender.map { HostID($0) }, receiver: HostID(delivery.receiver),
        bytes: delivery.bytes))
  }
}
