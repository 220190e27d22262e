public import ChatTransport
public import Primitives

/// One end of the datagram protocol: all connections of one program, as a machine without I/O.
///
/// Docs/WireFormat.md is the specification of what it sends. It is driven as a `DatagramMachine`
/// by whoever owns the sockets, and used as a `SynchronousTransport`. It keeps no state for an
/// address that has not shown that it receives what is sent to it.
public struct DatagramEndpoint: ~Copyable {
  private let handling = HandledByAddress()
  public let configuration: DatagramConfiguration
  /// Who we are.
  public let local: Incarnation
  /// What was dropped of that which came in, and why.
  public internal(set) var drops = DropCounters()

  var generator: KeyedGenerator
  let cookies: CookieJar
  /// A connection keeps its slot for its whole life and is changed in place.
  var connections = Slab<Connection>()
  var slotOfID: [ConnectionID: Int] = [:]
  var slotOfPeer: [PeerID: Int] = [:]
  /// Established connections only: at most one for each identity.
  var slotOfIdentity: [Identity: Int] = [:]
  /// Connections that others opened, by the call that opened them.
  var slotOfCall: [Call: Int] = [:]
  var unconfirmedCount = 0
  var dials: [Dial] = []
  var targets: [Target] = []
  /// Those of whom the user was told that they speak another version, the latest last.
  var incompatible: [IncompatibleVersion] = []
  /// Handshake packets that wait to be sent.
  var handshakes = Queue<(path: Path, datagram: [UInt8])>()
  /// Slots of connections that want to transmit.
  var ready = Queue<Int>()
  /// When each slot's connection has to be advanced.
  var timers = DeadlineHeap()
  /// Slots of connections whose time has come.
  var dueSlots: [Int] = []
  /// Slots of connections to which something was done since they were settled last.
  var touched: [Int] = []
  /// The slot of the peer to which something was sent last.
  var latestSlot = -1
  /// The connection from which the last datagram came.
  var latestReceived = (identifier: ConnectionID(rawValue: 0), slot: -1)
  /// Slots of connections whose messages wait for a place in the inbox.
  var heldBack = Queue<Int>()
  var resets: ResetLimiter
  var workspace = Workspace()
  let settings: Connection.Settings
  var nextPeerID: UInt64 = 1
  var nextMessageID: UInt64 = 1
  var messagesSent: UInt64 = 0
  var isClosing = false
  var hasClosed = false
  /// Figures of connections that are no more.
  var retired = TransportStatistics()

  /// - Parameter secret: known to nobody else; all connection identifiers and cookies come from it.
  public init(configuration: DatagramConfiguration, local: Incarnation, secret: Secret) {
    self.configuration = configuration
    settings = Connection.Settings(configuration)
    resets = ResetLimiter(perSecond: configuration.resetsPerSecond)
    self.local = local
    generator = KeyedGenerator(key: secret)
    cookies = CookieJar(
      key: Secret(generator.next(), generator.next()), lifetime: configuration.cookieLifetime)
    workspace.bufferLimit = configuration.receiveMemoryLimit
    workspace.inboxLimit = configuration.maximumWaitingBytes
    workspace.inboxEventLimit = configuration.maximumWaitingEvents
    if configuration.isTracing {
      workspace.trace = TraceBuffer(isOn: true, limit: configuration.traceLimit)
      workspace.outcome.listsPackets = true
    }
  }

  /// How many peers are connected.
  public var peerCount: Int { slotOfIdentity.count }

  /// Whether `nextEvent` has something to tell.
  public var hasEvents: Bool { !workspace.inbox.isEmpty }

  /// The paths on which a peer has shown that it is there, or `nil` where there is no such peer.
  public func paths(to peer: PeerID) -> [Path]? {
    slotOfPeer[peer].map { connections[$0].paths.validated }
  }
}

// MARK: Bookkeeping of connections

extension DatagramEndpoint {
  /// Puts a new connection into a slot.
  mutating func insert(
    _ identifiers: Connection.Identifiers, path: Path, phase: Connection.Phase,
    phaseDeadline: Instant, roundTrip: Interval?, at now: Instant
  ) -> Int {
    let slot = connections.insert(
      Connection(
        identifiers, path: path, phase: phase, phaseDeadline: phaseDeadline,
        handshakeRoundTrip: roundTrip, settings: settings, seed: generator.next(), now: now))
    slotOfID[identifiers.localID] = slot
    slotOfPeer[identifiers.peer] = slot
    if phase == .unconfirmed { unconfirmedCount += 1 }
    if let call = identifiers.call { slotOfCall[call] = slot }
    return slot
  }

  /// Draws the next `PeerID`.
  mutating func takePeerID() -> PeerID {
    defer { nextPeerID += 1 }
    return PeerID(rawValue: nextPeerID)
  }

  /// Draws the next connection identifier.
  mutating func takeConnectionID() -> ConnectionID {
    ConnectionID(rawValue: generator.next())
  }

  /// Notes that something was done to a connection; `settle` follows before the next datagram is
  /// asked for, once for all that is done in one wake.
  mutating func touch(_ slot: Int, at now: Instant) {
    guard connections[slot].phase == .established else { return settle(slot, at: now) }
    guard !connections[slot].isTouched else { return }
    connections[slot].isTouched = true
    touched.append(slot)
  }

  mutating func settleTouched(at now: Instant) {
    for slot in touched where connections.contains(slot) && connections[slot].isTouched {
      settle(slot, at: now)
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// Brings all tables in line with a connection after anything was done to it.
  mutating func settle(_ slot: Int, at now: Instant) {
    guard connections.contains(slot) else { return }
    connections[slot].isTouched = false
    connections[slot].traceChanges(at: now, &workspace)
    let phase = connections[slot].phase
    if phase != .established {
      let identity = connections[slot].identifiers.remote.identity
      if slotOfIdentity[identity] == slot {
        slotOfIdentity[identity] = nil
        forgetTargetPeer(connections[slot].peer, at: now)
      }
    }
    guard phase != .ended else { return remove(slot) }
    if !connections[slot].isQueued, connections[slot].wantsToTransmit(at: now) {
      connections[slot].isQueued = true
      ready.append(slot)
    }
    timers.set(connections[slot].deadline, for: slot)
  }

  private mutating func remove(_ slot: Int) {
    let identifiers = connections[slot].identifiers
    retired.add(connections[slot].statistics)
    slotOfID[identifiers.localID] = nil
    slotOfPeer[identifiers.peer] = nil
    if let call = identifiers.call { slotOfCall[call] = nil }
    timers.set(nil, for: slot)
    connections.remove(slot)
    tellIfClosed()
  }

  /// After `close`, tells the end as soon as the last connection is gone.
  mutating func tellIfClosed() {
    guard isClosing, !hasClosed, slotOfPeer.isEmpty else { return }
    hasClosed = true
    workspace.inbox.append(.closed(.closedByUs))
  }
}

extension TransportStatistics {
  /// Adds the counters of another; gauges, which mean nothing added up, are left alone.
  mutating func add(_ other: TransportStatistics) {
    messagesReceived += other.messagesReceived
    bytesSent = sum(bytesSent, other.bytesSent)
    bytesReceived = sum(bytesReceived, other.bytesReceived)
    datagramsSent = sum(datagramsSent, other.datagramsSent)
    datagramsReceived = sum(datagramsReceived, other.datagramsReceived)
    datagramsLost = sum(datagramsLost, other.datagramsLost)
    bytesRetransmitted = sum(bytesRetransmitted, other.bytesRetransmitted)
    bytesRedundant = sum(bytesRedundant, other.bytesRedundant)
    spuriouslyLost = sum(spuriouslyLost, other.spuriouslyLost)
    duplicates = sum(duplicates, other.duplicates)
    reordered = sum(reordered, other.reordered)
  }

  private func sum(_ left: UInt64?, _ right: UInt64?) -> UInt64? {
    guard left != nil || right != nil else { return nil }
    return (left ?? 0) + (right ?? 0)
  }
}
