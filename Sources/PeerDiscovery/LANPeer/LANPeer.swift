import ChatCodec
public import ChatTransport
public import DatagramPeer
public import Primitives

/// A peer on the local network: the datagram protocol, with discovery to find the others.
///
/// Discovery finds candidates, and the connection decides whether one is there and alive; this
/// machine is the wire between the two, and sorts what comes in: beacons, packets, and bare
/// `iam:` and `msg:` datagrams from other programs.
public struct LANPeer: TracedMachine, ~Copyable {
  public private(set) var endpoint: DatagramEndpoint
  public private(set) var discovery: Discovery
  /// Bare datagrams that did not come from the link, and were dropped.
  public private(set) var plainDropped: UInt64 = 0
  /// Datagrams that came by an interface that is not to be used, and were dropped.
  public private(set) var interfaceDropped: UInt64 = 0

  private var interfaces: [NetworkInterface] = []
  private var incarnations: [PeerID: Incarnation] = [:]
  private var plain = Queue<TransportEvent>()
  /// Told last, when the goodbyes have been sent.
  private var lastEvent: TransportEvent?
  private var hasEnded = false

  /// The most bare datagrams that wait to be read.
  private static let plainLimit = 1_024

  public init(endpoint: consuming DatagramEndpoint, discovery: consuming Discovery) {
    self.endpoint = endpoint
    self.discovery = discovery
  }

  /// Takes the interfaces that the host has now; at the start, and whenever any of them changes.
  /// Afterwards the receive sockets have to hold `discovery.memberships`.
  public mutating func interfacesChanged(_ interfaces: [NetworkInterface], at now: Instant) {
    self.interfaces = interfaces
    endpoint.localAddressesChanged(interfaces.flatMap { $0.addresses.map(\.ip) })
    discovery.interfacesChanged(interfaces, at: now)
  }

  /// Whether `nextEvent` has something to tell. To be asked after `nextTransmit` too: the last
  /// event waits for the last goodbye to be on its way.
  public var hasEvents: Bool {
    if hasEnded { return false }
    if lastEvent != nil { return discovery.hasDeparted }
    return !plain.isEmpty || endpoint.hasEvents
  }

  /// Calls an address that the user named, again and again until somebody answers.
  public mutating func connect(to path: Path, at now: Instant) {
    endpoint.connect(to: path, at: now)
  }

  /// What the endpoint wrote down; see `DatagramConfiguration.isTracing`.
  public mutating func nextTraceEvent() -> TraceEvent? { endpoint.nextTraceEvent() }

  // MARK: Sorting

  /// Datagrams between two programs on one host arrive by the loopback interface, whatever
  /// address they were sent to. They are taken as come by the interface that has the address, so
  /// that there is one path to the neighbour and not two.
  private func normalized(_ arrival: Arrival) -> Arrival {
    let source = arrival.path.remote.ip
    guard !source.isLoopback,
      interfaces.first(where: { $0.index == arrival.path.interface })?.isLoopback == true,
      let owner = interfaces.first(where: { $0.addresses.contains { $0.ip == source } })
    else { return arrival }
    var arrival = arrival
    arrival.path.interface = owner.index
    return arrival
  }

  /// The sockets hear every interface; where the user named some, the others are not listened to.
  private func isInUse(_ index: UInt32) -> Bool {
    let names = discovery.configuration.interfaceNames
    return names.isEmpty || interfaces.contains { $0.index == index && names.contains($0.name) }
  }

  private mutating func receivePlain(_ datagram: Span<UInt8>, path: Path) {
    let isOnLink = interfaces.contains {
      $0.index == path.interface && $0.isOnLink(path.remote.ip)
    }
    guard isOnLink, plain.count < Self.plainLimit else {
      plainDropped += 1
      return
    }
    plain.append(
      .plain(PlainMessage(path: path, payload: datagram.copy(0..<datagram.count))))
  }

  /// Tells discovery whom it need not look for.
  private mutating func noteConnections(_ event: TransportEvent) {
    switch event {
    case .peerJoined(let peer, let information):
      guard let incarnation = information.incarnation else { return }
      incarnations[peer] = incarnation
      discovery.connected.insert(incarnation)
    case .peerLeft(let peer, _):
      guard let incarnation = incarnations.removeValue(forKey: peer) else { return }
      discovery.connected.remove(incarnation)
    default: return
    }
  }

  private mutating func passOnCandidates(at now: Instant) {
    while let event = discovery.nextEvent() {
      guard case .candidate(let candidate) = event else { continue }
      endpoint.noteCandidate(
        candidate.incarnation, on: candidate.path, beaconSize: candidate.beaconSize,
        deniesConnection: candidate.deniesConnection, at: now)
    }
  }
}

extension LANPeer: DatagramMachine {
  public mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    let arrival = normalized(arrival)
    guard isInUse(arrival.path.interface) else {
      interfaceDropped += 1
      return
    }
    if ChatFrame.isBare(datagram) {
      receivePlain(datagram, path: arrival.path)
    } else if datagram.count > 0, datagram[0] == Beacon.firstByte {
      discovery.receive(datagram, arrival: arrival, at: now)
      passOnCandidates(at: now)
    } else {
      endpoint.receive(datagram, arrival: arrival, at: now)
    }
  }

  public mutating func advance(to now: Instant) {
    endpoint.advance(to: now)
    discovery.advance(to: now)
  }

  public mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    endpoint.nextTransmit(into: &buffer, at: now) ?? discovery.nextTransmit(into: &buffer, at: now)
  }

  public mutating func didFailToSend(
    size: Int, on path: Path, error: SendFailure, at now: Instant
  ) {
    endpoint.didFailToSend(size: size, on: path, error: error, at: now)
  }

  public var deadline: Instant? { Instant.earlier(endpoint.deadline, discovery.deadline) }
}

extension LANPeer: SynchronousTransport {
  public var capabilities: TransportCapabilities { endpoint.capabilities }

  public mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    try endpoint.send(payload, to: destination, options, at: now)
  }

  public mutating func send(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int {
    try endpoint.send(run: run, count: count, to: destination, options, at: now)
  }

  public mutating func readMessages(
    atMost limit: Int, _ body: (Span<UInt8>, MessageInfo) -> Void
  ) -> Int {
    hasEnded ? 0 : endpoint.readMessages(atMost: limit, body)
  }

  public mutating func moveMessages(atMost limit: Int, to batch: inout EventBatch) -> Int {
    hasEnded ? 0 : endpoint.moveMessages(atMost: limit, to: &batch)
  }

  public mutating func setReceiving(
    _ isReceiving: Bool, from peer: PeerID, channel: UInt8, at now: Instant
  ) {
    endpoint.setReceiving(isReceiving, from: peer, channel: channel, at: now)
  }

  public mutating func nextEvent() -> TransportEvent? {
    guard !hasEnded else { return nil }
    if lastEvent == nil {
      if let event = plain.popFirst() { return event }
      guard let event = endpoint.nextEvent() else { return nil }
      noteConnections(event)
      guard case .closed = event else { return event }
      lastEvent = event
    }
    guard discovery.hasDeparted else { return nil }
    hasEnded = true
    return lastEvent
  }

  public mutating func disconnect(_ peer: PeerID, at now: Instant) {
    endpoint.disconnect(peer, at: now)
  }

  public mutating func close(at now: Instant) {
    discovery.goodbye(at: now)
    endpoint.close(at: now)
  }

  public func statistics(of peer: PeerID) -> TransportStatistics? { endpoint.statistics(of: peer) }

  public var statistics: TransportStatistics { endpoint.statistics }
}
