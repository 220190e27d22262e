import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Endpoints on an emulated network, with everything watched that must always hold: the contract
/// of the machine, the order of events in a peer's life, and what is sent to strangers.
final class EndpointLAN {
  let network: VirtualNetwork<WatchedEndpoint>
  let amplification = AmplificationChecker()
  /// All datagrams, where they are wanted.
  private(set) var captured: [CapturedDatagram] = []
  var isCapturing = false
  private(set) var told: [HostID: [(time: Instant, event: TransportEvent)]] = [:]
  private var violations: [String] = []

  init(seed: UInt64, impairment: Impairment = .none) {
    network = VirtualNetwork(seed: seed, impairment: impairment)
    network.onActivity = { [unowned self] host, machine, now in
      guard machine.isRead else { return }
      while let event = machine.endpoint.nextEvent() {
        told[host, default: []].append((time: now, event: event))
      }
    }
    network.tap = { [unowned self] datagram in
      amplification.observe(datagram)
      if isCapturing { captured.append(datagram) }
    }
  }

  /// A host with an endpoint; its number is also its identity, unless another is given.
  @discardableResult
  func add(
    _ number: Int, identity: UInt64? = nil, epoch: UInt64 = 1, segments: [Int] = [0],
    _ configuration: DatagramConfiguration = .init()
  ) -> HostID {
    let host = network.addHost(.numbered(number, on: segments)) { seed, _ in
      make(identity ?? UInt64(number), epoch, configuration, seed)
    }
    amplification.watch(host)
    return host
  }

  /// A host that answers nothing: a victim, or an attacker who sends by hand.
  func addSilent(_ number: Int) -> HostID { network.addSilentHost(.numbered(number)) }

  /// The program on a host crashes and starts again.
  func restart(
    _ host: HostID, identity: UInt64, epoch: UInt64,
    _ configuration: DatagramConfiguration = .init()
  ) {
    checkLives(of: host)
    told[host] = []
    amplification.watch(host)
    network.restartHost(host) { seed, _ in make(identity, epoch, configuration, seed) }
  }

  private func make(
    _ identity: UInt64, _ epoch: UInt64, _ configuration: DatagramConfiguration, _ seed: UInt64
  ) -> WatchedEndpoint {
    WatchedEndpoint(
      DatagramEndpoint(
        configuration: configuration, local: Pair.incarnation(identity, epoch: epoch),
        secret: Secret(seed: seed)))
  }

  // MARK: What hosts do

  func connect(_ host: HostID, to other: HostID, _ family: IPAddress.Family = .ipv4) {
    let path = network.path(from: host, to: other, family)
    with(host) { endpoint, now in endpoint.connect(to: path, at: now) }
  }

  func noteCandidate(
    _ incarnation: Incarnation, on path: Path, beaconSize: Int = 160,
    deniesConnection: Bool = false,
    at host: HostID
  ) {
    amplification.noteCandidate(at: host, path.remote)
    with(host) { endpoint, now in
      endpoint.noteCandidate(
        incarnation, on: path, beaconSize: beaconSize, deniesConnection: deniesConnection, at: now)
    }
  }

  /// One dials the other, and both have joined.
  func join(_ host: HostID, _ other: HostID) throws {
    connect(host, to: other)
    let isJoined = network.run(until: network.now + .seconds(30)) {
      with(host) { endpoint, _ in endpoint.peerCount } > 0
        && with(other) { endpoint, _ in endpoint.peerCount } > 0
    }
    try #require(isJoined, "no connection")
  }

  @discardableResult
  func send(
    _ payload: [UInt8], from host: HostID, _ delivery: Delivery = .ordered
  ) -> Result<SendReceipt, SendError> {
    with(host) { endpoint, now in
      Result { () throws(SendError) in
        try endpoint.send(
          payload.span, to: .everyone, SendOptions(delivery: delivery), at: now)
      }
    }
  }

  @discardableResult
  func with<Result>(
    _ host: HostID, _ body: (inout DatagramEndpoint, Instant) -> Result
  ) -> Result {
    network.withMachine(host) { machine, now in body(&machine.endpoint, now) }
  }

  /// Hands a host a datagram as if it had come from `remote`.
  func forge(_ bytes: [UInt8], into host: HostID, from remote: SocketAddress) {
    let interface = network.configuration(of: host).interfaces[0]
    let path = Path(
      remote: remote, local: network.configuration(of: host).address().ip,
      interface: interface.index)
    network.inject(bytes, into: host, arrival: Arrival(path: path))
  }

  // MARK: What became of it

  func events(at host: HostID) -> [TransportEvent] { (told[host] ?? []).map(\.event) }

  func forgetEvents() { told.removeAll() }

  func stopCapturing() -> [CapturedDatagram] {
    isCapturing = false
    defer { captured = [] }
    return captured
  }

  func payloads(at host: HostID) -> [[UInt8]] {
    events(at: host).compactMap {
      guard case .message(let message) = $0 else { return nil }
      return message.payload
    }
  }

  func joins(at host: HostID) -> [PeerID] {
    events(at: host).compactMap {
      guard case .peerJoined(let peer, _) = $0 else { return nil }
      return peer
    }
  }

  func leaves(at host: HostID) -> [LeaveReason] {
    events(at: host).compactMap {
      guard case .peerLeft(_, let reason) = $0 else { return nil }
      return reason
    }
  }

  /// The identifiers of all connections of a host, in whatever state.
  func identifiers(at host: HostID) -> [Connection.Identifiers] {
    with(host) { endpoint, _ in
      (0..<endpoint.connections.slotCount).filter { endpoint.connections.contains($0) }
        .map { endpoint.connections[$0].identifiers }
    }
  }

  /// Whether two hosts have one connection with each other, the same at both ends, and nothing
  /// else is left of the way there.
  func isSingle(_ host: HostID, _ other: HostID) -> Bool {
    let ends = [host, other].map { identifiers(at: $0) }
    let isClean = [host, other].allSatisfy { host in
      with(host) { endpoint, _ in
        endpoint.dials.isEmpty && endpoint.unconfirmedCount == 0 && endpoint.peerCount == 1
      }
    }
    return isClean && ends[0].count == 1 && ends[1].count == 1
      && ends[0][0].localID == ends[1][0].remoteID && ends[0][0].remoteID == ends[1][0].localID
      && ends[0][0].isDialler != ends[1][0].isDialler
  }

  // MARK: What must always hold

  /// Tells everything that was found wrong.
  func check(_ replay: String) {
    for host in network.hosts where told[host] != nil { checkLives(of: host) }
    let stale = network.hosts.map { host in
      told[host] == nil ? 0 : network.withMachine(host) { machine, _ in machine.staleDeadlineCount }
    }
    #expect(stale.allSatisfy { $0 == 0 }, "deadlines stood in the past; \(replay)")
    let broken = amplification.violations + violations
    #expect(broken.isEmpty, "\(broken.prefix(5)); \(replay)")
  }

  /// Each peer joins once, leaves at most once, and nothing is told of it before or after; `closed`
  /// is the last word.
  private func checkLives(of host: HostID) {
    var isPresent: [PeerID: Bool] = [:]
    var isClosed = false
    for (time, event) in told[host] ?? [] {
      if isClosed { violations.append("\(event) after closed, at \(time)") }
      switch event {
      case .peerJoined(let peer, _):
        if isPresent[peer] != nil { violations.append("\(peer) joined twice, at \(time)") }
        isPresent[peer] = true
      case .closed:
        isClosed = true
        if isPresent.values.contains(true) { violations.append("closed with a peer, at \(time)") }
      default:
        guard let peer = event.peer else { continue }
        if isPresent[peer] != true { violations.append("\(event) of nobody, at \(time)") }
        if case .peerLeft = event { isPresent[peer] = false }
      }
    }
  }
}

extension TransportEvent {
  /// The peer that an event is about.
  var peer: PeerID? {
    switch self {
    case .peerJoined(let peer, _), .peerLeft(let peer, _), .pressure(let peer),
      .relief(let peer), .acknowledged(_, by: let peer), .givenUp(_, to: let peer, _):
      peer
    case .message(let message): message.peer
    case .gap(let gap): gap.peer
    case .waiting, .incompatible, .plain, .closed: nil
    }
  }
}
