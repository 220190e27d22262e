import ChatTransport
import Primitives

extension DatagramEndpoint {
  mutating func receive(_ packet: HandshakePacket, on path: Path, at now: Instant) {
    guard !isClosing else {
      drops[.closing] += 1
      return
    }
    if packet.bringsPeer, !workspace.mayDeliver {
      // Whoever does not read the news makes no new acquaintances.
      drops[.noRoom] += 1
      return
    }
    switch packet {
    case .hello(let hello): receive(hello, on: path, at: now)
    case .challenge(let challenge): receive(challenge, on: path, at: now)
    case .open(let open): receive(open, on: path, at: now)
    case .accept(let accept): receive(accept, on: path, at: now)
    case .probe(let probe): receive(probe, on: path, at: now)
    case .probeReply(let reply): receive(reply: reply, on: path, at: now)
    case .versions(let answer): receive(answer, on: path)
    case .reset(let reset): receive(reset, on: path, at: now)
    }
  }

  // MARK: The side that is called

  /// Answers with a cookie, smaller than the question, and keeps nothing.
  private mutating func receive(_ hello: HandshakePacket.Hello, on path: Path, at now: Instant) {
    guard hello.dialler.identity != local.identity, hello.expected.map({ $0 == local }) ?? true
    else {
      drops[.wrongIncarnation] += 1
      return
    }
    guard sharesTopic(hello.topics) else {
      drops[.otherTopic] += 1
      return
    }
    let cookie = cookies.cookie(for: hello.source, of: hello.dialler, at: path.remote, now: now)
    send(
      .challenge(
        HandshakePacket.Challenge(destination: hello.source, responder: local, cookie: cookie)),
      on: path)
  }

  /// Opens a connection with somebody who has shown that he receives at his address.
  private mutating func receive(_ open: HandshakePacket.Open, on path: Path, at now: Instant) {
    guard open.responder == local, open.dialler.identity != local.identity else {
      drops[.wrongIncarnation] += 1
      return
    }
    guard sharesTopic(open.topics) else {
      drops[.otherTopic] += 1
      return
    }
    let isValid = cookies.isValid(
      open.cookie, for: open.source, of: open.dialler, at: path.remote, now: now)
    guard isValid else {
      drops[.badCookie] += 1
      return
    }
    // A repetition: our answer was lost, or is still under way. Only the caller gets it again:
    // `source` also stands in what we send him, and who saw that must not learn our own identifier.
    if let known = slotOfCall[Call(dialler: open.dialler, source: open.source)] {
      guard connections[known].paths.isValidated(path.remote) else {
        drops[.identityInUse] += 1
        return
      }
      return accept(open, as: connections[known].identifiers.localID, on: path)
    }
    // Both called at once: the call of the greater identity is the one that counts.
    if isOpening(to: open.dialler), local.identity > open.dialler.identity {
      drops[.simultaneousOpen] += 1
      return
    }
    guard makeWay(for: open.dialler, on: path, at: now) else {
      drops[.identityInUse] += 1
      return
    }
    if unconfirmedCount >= configuration.maximumHalfOpen { giveUpOldestUnconfirmed(at: now) }
    guard slotOfPeer.count < configuration.maximumConnections else {
      drops[.tooManyConnections] += 1
      return
    }
    dials.removeAll { $0.responder == open.dialler }
    let identifiers = Connection.Identifiers(
      peer: takePeerID(), remote: open.dialler, localID: takeConnectionID(),
      remoteID: open.source, isDialler: false)
    let slot = insert(
      identifiers, path: path, phase: .unconfirmed,
      phaseDeadline: now + configuration.handshakeTimeout, roundTrip: nil, at: now)
    accept(open, as: identifiers.localID, on: path)
    settle(slot, at: now)
  }

  /// Makes room for another connection: who means it confirms within a round trip, and somebody who
  /// opens one after the other and confirms none must not keep the others out until they expire.
  private mutating func giveUpOldestUnconfirmed(at now: Instant) {
    var oldest: Int?
    for slot in connections.slots
    where connections.contains(slot) && connections[slot].phase == .unconfirmed {
      if let other = oldest,
        connections[other].phaseDeadline <= connections[slot].phaseDeadline
      {
        continue
      }
      oldest = slot
    }
    guard let oldest else { return }
    connections[oldest].phase = .ended
    unconfirmedCount -= 1
    settle(oldest, at: now)
  }

  private mutating func accept(
    _ open: HandshakePacket.Open, as localID: ConnectionID, on path: Path
  ) {
    send(
      .accept(
        HandshakePacket.Accept(destination: open.source, source: localID, responder: local)),
      on: path)
  }

  // MARK: The side that calls

  private mutating func receive(
    _ challenge: HandshakePacket.Challenge, on path: Path, at now: Instant
  ) {
    let index = dials.firstIndex {
      $0.localID == challenge.destination && $0.path.remote == path.remote && $0.responder == nil
    }
    guard let index else {
      drops[.unexpectedAnswer] += 1
      return
    }
    let responder = challenge.responder
    let expected = dials[index].expected
    guard responder.identity != local.identity,
      expected.map({ $0.identity == responder.identity }) ?? true
    else {
      dials.remove(at: index)
      drops[.wrongIncarnation] += 1
      return
    }
    if let slot = slotOfIdentity[responder.identity],
      connections[slot].identifiers.remote == responder
    {
      noteTarget(at: dials[index].path, is: connections[slot].peer)
      dials.remove(at: index)
      if connections[slot].paths.needsProbe(path, at: now) { probe(path, of: slot, at: now) }
      return
    }
    guard !isOpening(to: responder) else {
      dials.remove(at: index)
      return
    }
    // While an old connection is asked whether it lives, the call is repeated and not answered.
    _ = makeWay(for: responder, on: path, at: now)
    if dials[index].tries == 1 { dials[index].roundTrip = now - dials[index].sentAt }
    let roundTrip = dials[index].roundTrip ?? configuration.initialRoundTripTime
    dials[index].stage = .open(responder: responder, cookie: challenge.cookie)
    dials[index].tries = 1
    dials[index].sentAt = now
    dials[index].interval = max(roundTrip * 2, .milliseconds(30))
    dials[index].nextTry = now + dials[index].interval
    dials[index].expires = now + configuration.handshakeTimeout
    sendOpen(dials[index])
  }

  private mutating func receive(_ accept: HandshakePacket.Accept, on path: Path, at now: Instant) {
    let index = dials.firstIndex {
      $0.localID == accept.destination && $0.path.remote == path.remote
        && $0.responder == accept.responder
    }
    guard let index else {
      drops[.unexpectedAnswer] += 1
      return
    }
    // The responder repeats its answer as often as we repeat the question.
    guard makeWay(for: accept.responder, on: path, at: now) else {
      drops[.identityInUse] += 1
      return
    }
    let dial = dials.remove(at: index)
    guard slotOfPeer.count < configuration.maximumConnections else {
      drops[.tooManyConnections] += 1
      return
    }
    let identifiers = Connection.Identifiers(
      peer: takePeerID(), remote: accept.responder, localID: dial.localID,
      remoteID: accept.source, isDialler: true)
    let roundTrip = dial.tries == 1 ? now - dial.sentAt : dial.roundTrip
    let slot = insert(
      identifiers, path: path, phase: .established, phaseDeadline: now, roundTrip: roundTrip,
      at: now)
    slotOfIdentity[accept.responder.identity] = slot
    cancelDials(to: slot)
    connections[slot].establish(&workspace)
    // The other side waits for a sign that we heard it.
    connections[slot].owesPing = true
    noteTarget(at: dial.path, is: identifiers.peer)
    settle(slot, at: now)
  }

  // MARK: Both

  private func sharesTopic(_ topics: [UInt64]) -> Bool {
    topics.contains { configuration.topics.contains($0) }
  }

  /// Whether a connection with `newcomer` may be opened, as far as its identity is concerned.
  ///
  /// A peer that was restarted comes with a greater epoch, and where it comes from the very address
  /// of the old connection it takes its place at once. From another address anybody might claim
  /// to be it, so the old one is first asked whether it lives.
  private mutating func makeWay(
    for newcomer: Incarnation, on path: Path, at now: Instant
  ) -> Bool {
    guard let slot = slotOfIdentity[newcomer.identity] else { return true }
    let epoch = connections[slot].identifiers.remote.epoch
    if newcomer.epoch > epoch, connections[slot].paths.isValidated(path.remote) {
      connections[slot].end(.replaced, at: now, &workspace)
      settle(slot, at: now)
      return true
    }
    if newcomer.epoch >= epoch {
      connections[slot].doubt(newcomer.epoch > epoch ? .replaced : .timedOut, at: now)
      settle(slot, at: now)
    }
    return false
  }
}

extension HandshakePacket {
  /// Whether a peer may join because of it.
  fileprivate var bringsPeer: Bool {
    switch self {
    case .open, .accept: true
    case .hello, .challenge, .probe, .probeReply, .versions, .reset: false
    }
  }
}
