public import ChatTransport
public import Primitives

extension DatagramEndpoint {
  /// Calls an address that the user named, at once and again until somebody answers; and again
  /// when that peer has left.
  public mutating func connect(to path: Path, at now: Instant) {
    guard !isClosing, !targets.contains(where: { $0.path == path }) else { return }
    targets.append(Target(path: path, nextTry: now, interval: Target.firstInterval))
    advanceDials(to: now)
  }

  /// Takes in that `incarnation` seems to be at the other end of `path`: by a beacon, which anybody
  /// may have forged. At most one small datagram goes there for each call of this.
  ///
  /// Of two strangers only the one with the greater identity calls. Somebody who is a peer already
  /// is asked for a proof that the path is his; and whether he is still there, where he seems to
  /// have forgotten the connection.
  ///
  /// - Parameters:
  ///   - beaconSize: how many bytes the beacon had. No more than three times as many go back.
  ///   - deniesConnection: whether it says that its sender is not connected to us.
  public mutating func noteCandidate(
    _ incarnation: Incarnation, on path: Path, beaconSize: Int, deniesConnection: Bool = false,
    at now: Instant
  ) {
    guard !isClosing, incarnation.identity != local.identity else { return }
    guard max(helloSize, PathProof.probeSize) <= 3 * beaconSize else { return }
    if let slot = slotOfIdentity[incarnation.identity],
      connections[slot].identifiers.remote == incarnation
    {
      connections[slot].paths.noteLocal(of: path)
      if deniesConnection {
        connections[slot].doubt(.timedOut, at: now)
        settle(slot, at: now)
      }
      if connections[slot].paths.needsProbe(path, at: now) {
        probe(path, of: slot, at: now)
      }
      return
    }
    guard local.identity > incarnation.identity, !isOpening(to: incarnation) else { return }
    let isSame = { (dial: Dial) in dial.expected == incarnation && dial.path == path }
    if let index = dials.firstIndex(where: isSame) {
      tellIfIncompatible(dials[index])
      dials[index].sentAt = now
      dials[index].tries += 1
      dials[index].expires = now + Self.helloLifetime
      sendHello(dials[index])
    } else {
      dial(path, expecting: incarnation, at: now)
    }
  }

  /// How long an answer to a hello is waited for.
  private static let helloLifetime = Interval.seconds(2)

  /// The size of our hello, in bytes.
  private var helloSize: Int {
    HandshakePacket.Hello.size(topicCount: configuration.topics.count)
  }

  func isOpening(to incarnation: Incarnation) -> Bool {
    dials.contains { $0.responder == incarnation }
  }

  /// Ends the calls to the peer in `slot`, with whom there is a connection now. Named addresses
  /// where it answered, and the one that the connection leads to, have been reached.
  mutating func cancelDials(to slot: Int) {
    let (incarnation, peer) = (connections[slot].identifiers.remote, connections[slot].peer)
    for dial in dials where dial.responder == incarnation {
      noteTarget(at: dial.path, is: peer)
    }
    noteTarget(at: connections[slot].paths.current, is: peer)
    forgetIncompatible(at: connections[slot].paths.current.remote)
    dials.removeAll { $0.responder == incarnation || $0.expected == incarnation }
  }

  mutating func dial(_ path: Path, expecting expected: Incarnation?, at now: Instant) {
    guard dials.count < configuration.maximumHalfOpen || giveUpOldestCandidate() else { return }
    let dial = Dial(
      localID: takeConnectionID(), path: path, expected: expected, sentAt: now,
      nextTry: now + Self.helloLifetime, expires: now + Self.helloLifetime)
    dials.append(dial)
    sendHello(dial)
  }

  /// Makes room for another call. Forged beacons can fill the table faster than unanswered calls
  /// expire, and must not keep out somebody who would answer at once, nor an address that the user
  /// named.
  private mutating func giveUpOldestCandidate() -> Bool {
    guard let oldest = dials.firstIndex(where: { $0.expected != nil }) else { return false }
    dials.remove(at: oldest)
    return true
  }

  private mutating func sendHello(_ dial: Dial) {
    send(
      .hello(
        HandshakePacket.Hello(
          source: dial.localID, dialler: local, expected: dial.expected,
          topics: configuration.topics)), on: dial.path)
  }

  mutating func sendOpen(_ dial: Dial) {
    guard case .open(let responder, let cookie) = dial.stage else { return }
    send(
      .open(
        HandshakePacket.Open(
          source: dial.localID, dialler: local, responder: responder, cookie: cookie,
          topics: configuration.topics)), on: dial.path)
  }

  mutating func send(_ packet: HandshakePacket, on path: Path) {
    // What does not fit is lost, as it might be on the network: a flood must not grow memory.
    guard handshakes.count < Self.maximumWaitingHandshakes else { return }
    handshakes.append((path: path, datagram: packet.encoded()))
  }

  private static let maximumWaitingHandshakes = 1_024

  // MARK: Time

  mutating func advanceDials(to now: Instant) {
    for dial in dials where dial.expires <= now { tellIfIncompatible(dial) }
    dials.removeAll { $0.expires <= now }
    for index in dials.indices where dials[index].nextTry <= now && dials[index].responder != nil {
      dials[index].sentAt = now
      dials[index].tries += 1
      dials[index].nextTry = now + dials[index].interval
      dials[index].interval = min(dials[index].interval * 2, .milliseconds(500))
      sendOpen(dials[index])
    }
    for index in targets.indices where targets[index].peer == nil && targets[index].nextTry <= now {
      let path = targets[index].path
      let isFirst = targets[index].interval == Target.firstInterval
      targets[index].nextTry = now + targets[index].interval
      targets[index].interval = min(
        targets[index].interval * 2, configuration.maximumRedialInterval)
      redial(path, at: now)
      if !isFirst { workspace.inbox.append(.waiting(nextTry: targets[index].nextTry)) }
    }
  }

  /// Calls a target once more, unless it has answered and the connection is being opened.
  private mutating func redial(_ path: Path, at now: Instant) {
    let isSame = { (dial: Dial) in dial.expected == nil && dial.path == path }
    guard let index = dials.firstIndex(where: isSame) else {
      return dial(path, expecting: nil, at: now)
    }
    guard dials[index].responder == nil else { return }
    tellIfIncompatible(dials[index])
    dials[index].sentAt = now
    dials[index].tries += 1
    dials[index].expires = now + Self.helloLifetime
    sendHello(dials[index])
  }

  var dialDeadline: Instant? {
    var earliest: Instant?
    for dial in dials {
      earliest = Instant.earlier(earliest, dial.deadline)
    }
    for target in targets where target.peer == nil {
      earliest = Instant.earlier(earliest, target.nextTry)
    }
    return earliest
  }

  // MARK: Targets

  /// Notes that the target at the other end of `path` has been reached. Where the user left the
  /// interface open, any will do.
  mutating func noteTarget(at path: Path, is peer: PeerID) {
    for index in targets.indices
    where targets[index].path.remote == path.remote
      && [0, path.interface].contains(targets[index].path.interface)
    {
      targets[index].peer = peer
    }
  }

  /// Calls the target again that this peer was.
  mutating func forgetTargetPeer(_ peer: PeerID, at now: Instant) {
    for index in targets.indices where targets[index].peer == peer {
      targets[index].peer = nil
      targets[index].interval = Target.firstInterval
      targets[index].nextTry = now + Target.firstInterval
    }
  }
}
