import ChatCodec
public import ChatTransport
public import Primitives

/// A room as one of its members sees it: who is here, what they say, in order and once.
///
/// It is a machine without I/O above any transport, which is handed in with every call. The room,
/// and not the transport, decides who is a member and in which order lines are shown.
///
/// The contract: call `run` whenever the transport may have something to tell, and at `deadline`;
/// after it, and after `join`, `say` and `leave`, pull `nextEvent` until it returns `nil`. Whoever
/// reads the transport's events himself calls `handle` with each, and `advance`, instead of `run`.
/// Instants never go backwards. Everything that others can make it keep is bounded by the
/// configuration, except the events that are not pulled.
///
/// Somebody who does not join sees the members and hears the lines all the same.
public struct ChatRoom: TransportApplication, Sendable {
  public let configuration: Configuration
  /// Who we are. The epoch is greater than that of any earlier life of this identity.
  public let incarnation: Incarnation
  /// What was dropped, by reason.
  public internal(set) var counters = RoomCounters()

  let room: RoomHash
  var state = State.outside
  /// How many lines we have said: the number of the last one.
  var saidCount: UInt64 = 0
  var recent = RecentLines()
  var pending = PendingLines()
  /// Our goodbye, while the transport is open only for that.
  var farewell: OwnFarewell?
  /// In the order of their identifiers.
  var peers: [PeerState] = []
  var roster = Roster()
  /// What the lines of all authors that wait cost.
  var heldCost = 0
  var plainNames: [(address: SocketAddress, name: ChatName)] = []
  var resolvedOwnName: String?
  var events = Queue<RoomEvent>()

  enum State: Sendable {
    case outside
    case joined(ChatName)
    case left
  }

  public init(configuration: Configuration = Configuration(), self incarnation: Incarnation) {
    self.configuration = configuration
    self.incarnation = incarnation
    room = RoomHash(of: configuration.room)
  }

  /// What stands for the room's name on the wire, here and in beacons.
  public var roomHash: RoomHash { room }

  /// Who is here besides ourselves, in the order of their identities.
  public var members: [Member] {
    roster.authors.indices.compactMap { roster.member(at: $0) }
  }

  /// The name under which we joined, told apart as those of the members are; `nil` outside.
  public var ownDisplayName: String? { resolvedOwnName }

  /// How many outcomes of what we said are still to come, one for each line and peer. Always zero
  /// in unreliable rooms, and over transports that do not acknowledge.
  public var unacknowledged: Int { pending.outcomeCount }

  /// Whether nothing that we said is still on its way to anybody who is connected.
  public var isQuiet: Bool {
    pending.outcomeCount == 0 && peers.allSatisfy { $0.owed == nil }
  }

  /// When `run` or `advance` has to be called even though the transport has nothing to tell.
  public var deadline: Instant? {
    roster.authors.indices.reduce(farewell?.due) {
      Instant.earlier($0, roster.authors[$1].stream.deadline)
    }
  }

  /// The largest text that `say` takes, in bytes. Needs a name, and so is known after `join`.
  public func textLimit(over capabilities: TransportCapabilities) -> Int? {
    guard case .joined(let name) = state else { return nil }
    let limit = Record.textLimit(
      in: min(capabilities.maximumMessageSize, configuration.recordSizeLimit)
        - ConversationMessage.recordOverhead, name: name)
    return max(0, limit)
  }

  /// The next thing that happened, or `nil` where there is nothing more to tell for now.
  public mutating func nextEvent() -> RoomEvent? {
    events.popFirst()
  }

  /// Reads all events of `transport`, and acts on them and on the timers that are due.
  public mutating func run<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    while let event = transport.nextEvent() {
      handle(event, over: &transport, at: now)
    }
    advance(over: &transport, at: now)
  }

  /// Acts on one event that was read from `transport`.
  public mutating func handle<Transport: SynchronousTransport & ~Copyable>(
    _ event: TransportEvent, over transport: inout Transport, at now: Instant
  ) {
    switch event {
    case .peerJoined(let peer, let information):
      addPeer(peer, information)
      owe(peer, at: now)
      sendOwed(to: peer, over: &transport, at: now)
    case .peerLeft(let peer, let reason):
      removePeer(peer, reason)
      farewellSettled(by: peer, over: &transport, at: now)
    case .message(let message): receive(message, at: now)
    case .plain(let message): hear(message)
    case .acknowledged(let id, let peer):
      acknowledged(id, by: peer)
      if id == farewell?.message { farewellSettled(by: peer, over: &transport, at: now) }
    case .givenUp(let id, let peer, let reason):
      if id == farewell?.message { farewellSettled(by: peer, over: &transport, at: now) }
      givenUp(id, to: peer, reason)
      sendOwed(to: peer, over: &transport, at: now)
    case .relief(let peer): sendOwed(to: peer, over: &transport, at: now)
    case .closed(let reason):
      state = .left
      farewell = nil
      resolveNames()
      events.append(.closed(reason))
    // Gaps are seen in the numbers of the lines, which mean the same on every transport.
    case .waiting, .incompatible, .pressure, .gap: break
    }
  }
}
