public import ChatTransport
public import Primitives

/// One end of the datagram protocol: all connections of one program, as a machine without I/O.
///
/// Docs/WireFormat.md is the specification of what it sends. It is driven as a `DatagramMachine`
/// by whoever owns the sockets, and used as a `SynchronousTransport`. It keeps no state for an
/// address that has not shown that it receives what is sent to it.
public struct DatagramEndpoint: ~Copyable {
  public let configuration: DatagramConfiguration
  /// Who we are.
  public let local: Incarnation
  /// What was dropped of that which came in, and why.
  public internal(set) var drops = DropCounters()

  var generator: KeyedGenerator
  let cookies: CookieJar
  /// A slab: a connection keeps its slot for its whole life and is changed in place.
  var connections: [Connection?] = []
  var freeSlots: [Int] = []
  var slotOfID: [ConnectionID: Int] = [:]
  var slotOfPeer: [PeerID: Int] = [:]
  /// Established connections only: at most one for each identity.
  var slotOfIdentity: [Identity: Int] = [:]
  /// Connections that others opened, by the call that opened them.
  var slotOfCall: [Call: Int] = [:]
  var unconfirmedCount = 0
  var dials: [Dial] = []
  var targets: [Target] = []
  /// Handshake packets that wait to be sent.
  var handshakes = Queue<(path: Path, datagram: [UInt8])>()
  /// Slots of connections that want to transmit.
  var ready = Queue<Int>()
  /// When each slot's connection has to be advanced.
  var timers = DeadlineHeap()
  var events = Queue<TransportEvent>()
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
    self.local = local
    generator = KeyedGenerator(key: secret)
    cookies = CookieJar(
      key: Secret(generator.next(), generator.next()), lifetime: configuration.cookieLifetime)
  }

  /// How many peers are connected.
  public var peerCount: Int { slotOfIdentity.count }

  /// Whether `nextEvent` has something to tell.
  public var hasEvents: Bool { !events.isEmpty }

  /// The paths on which a peer has shown that it is there, or `nil` where there is no such peer.
  public func paths(to peer: PeerID) -> [Path]? {
    slotOfPeer[peer].flatMap { connections[$0]?.paths.validated }
  }

  func connection(_ slot: Int?) -> Connection? { slot.flatMap { connections[$0] } }
}

// MARK: Bookkeeping of connections

extension DatagramEndpoint {
  /// Puts a new connection into a slot.
  mutating func insert(_ connection: Connection) -> Int {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      connections[slot] = connection
    } else {
      slot = connections.count
      connections.append(connection)
    }
    slotOfID[connection.identifiers.localID] = slot
    slotOfPeer[connection.peer] = slot
    if connection.phase == .unconfirmed { unconfirmedCount += 1 }
    if let call = connection.identifiers.call { slotOfCall[call] = slot }
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

  /// Brings all tables in line with a connection after anything was done to it.
  mutating func settle(_ slot: Int, at now: Instant) {
    guard let connection = connections[slot] else { return }
    let identity = connection.identifiers.remote.identity
    if connection.phase != .established, slotOfIdentity[identity] == slot {
      slotOfIdentity[identity] = nil
      forgetTargetPeer(connection.peer, at: now)
    }
    guard connection.phase != .ended else { return remove(slot) }
    if connection.wantsToTransmit, !connection.isQueued {
      connections[slot]?.isQueued = true
      ready.append(slot)
    }
    timers.set(connection.deadline, for: slot)
  }

  private mutating func remove(_ slot: Int) {
    guard let connection = connections[slot] else { return }
    retired.add(connection.statistics)
    slotOfID[connection.identifiers.localID] = nil
    slotOfPeer[connection.peer] = nil
    if let call = connection.identifiers.call { slotOfCall[call] = nil }
    timers.set(nil, for: slot)
    connections[slot] = nil
    freeSlots.append(slot)
    tellIfClosed()
  }

  /// After `close`, tells the end as soon as the last connection is gone.
  mutating func tellIfClosed() {
    guard isClosing, !hasClosed, slotOfPeer.isEmpty else { return }
    hasClosed = true
    events.append(.closed(.closedByUs))
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
    messagesRetransmitted = sum(messagesRetransmitted, other.messagesRetransmitted)
    duplicates = sum(duplicates, other.duplicates)
    reordered = sum(reordered, other.reordered)
  }

  private func sum(_ left: UInt64?, _ right: UInt64?) -> UInt64? {
    guard left != nil || right != nil else { return nil }
    return (left ?? 0) + (right ?? 0)
  }
}
