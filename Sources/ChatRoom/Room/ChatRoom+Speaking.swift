public import ChatCodec
public import ChatTransport
public import Primitives

/// What we tell the others.
extension ChatRoom {
  /// Joins the room under a name, and greets every peer that is there and that will come.
  public mutating func join<Transport: SynchronousTransport & ~Copyable>(
    as name: String, over transport: inout Transport, at now: Instant
  ) throws(JoinError) {
    let checked: ChatName
    do throws(ChatNameError) {
      checked = try ChatName(name)
    } catch {
      throw .invalidName(error)
    }
    try join(as: checked, over: &transport, at: now)
  }

  /// Joins the room under a name, and greets every peer that is there and that will come.
  public mutating func join<Transport: SynchronousTransport & ~Copyable>(
    as name: ChatName, over transport: inout Transport, at now: Instant
  ) throws(JoinError) {
    switch state {
    case .outside: break
    case .joined: throw .alreadyJoined
    case .left: throw .ended
    }
    let greeting = ConversationMessage.greeting(
      owedAfter: saidCount, record(.iam, sequence: saidCount, name: name, body: iam(name)))
    do throws(SendError) {
      let size = greeting.encoded().count
      _ = try transport.capabilities.check(payloadSize: size, options(.reliable))
      _ = try transport.capabilities.check(payloadSize: size, options(configuration.delivery))
    } catch {
      throw .transport(error)
    }
    state = .joined(name)
    resolveNames()
    for peer in peers.map(\.id) {
      owe(peer, at: now)
      sendOwed(to: peer, over: &transport, at: now)
    }
  }

  /// Says a line to everybody who is here, and to whoever comes within `recentInterval`.
  public mutating func say<Transport: SynchronousTransport & ~Copyable>(
    _ text: String, over transport: inout Transport, at now: Instant
  ) throws(SayError) -> RecordID {
    try say(Array(text.utf8), over: &transport, at: now)
  }

  /// Says a line to everybody who is here, and to whoever comes within `recentInterval`.
  ///
  /// Any bytes are a text, also none. A peer whose queue is full is left out, which the events
  /// `undelivered` tell.
  public mutating func say<Transport: SynchronousTransport & ~Copyable>(
    _ text: [UInt8], over transport: inout Transport, at now: Instant
  ) throws(SayError) -> RecordID {
    guard case .joined(let name) = state, let limit = textLimit(over: transport.capabilities) else {
      throw .notJoined
    }
    guard text.count <= limit else { throw .tooLong(size: text.count, limit: limit) }
    let sequence = saidCount + 1
    let payload = ConversationMessage.record(
      record(.msg, sequence: sequence, name: name, body: Array("msg:".utf8) + text)
    ).encoded()
    let receipt: SendReceipt
    do throws(SendError) {
      receipt = try transport.send(
        payload.span, to: .everyone, options(configuration.delivery), at: now)
    } catch {
      throw .transport(error)
    }
    saidCount = sequence
    recent.append(
      RecentLines.Entry(sequence: sequence, saidAt: now, payload: payload), configuration)
    track(receipt, sequence, to: peers.map(\.id), over: transport.capabilities)
    return RecordID(author: incarnation, sequence: sequence)
  }
}

/// What a peer is owed: our greeting, the recent lines, and word of lines that it will not get.
extension ChatRoom {
  /// Makes a note of what a peer that just appeared, or that was there when we joined, is to get.
  ///
  /// It is decided once, although the queue may be full at first: what is said from now on goes to
  /// this peer as to everyone.
  mutating func owe(_ peer: PeerID, at now: Instant) {
    guard case .joined = state, let index = peerIndex(peer) else { return }
    recent.expire(at: now, configuration)
    peers[index].owed = PeerState.Owed(
      owedAfter: recent.entries.first.map { $0.sequence - 1 } ?? saidCount, lines: recent.entries)
  }

  /// Sends as much of what a peer is owed as there is room for in the queue to it.
  mutating func sendOwed<Transport: SynchronousTransport & ~Copyable>(
    to peer: PeerID, over transport: inout Transport, at now: Instant
  ) {
    guard case .joined(let name) = state, let index = peerIndex(peer) else { return }
    do throws(SendError) {
      while let lines = peers[index].withheld.first {
        let message = ConversationMessage.withheld(incarnation, lines)
        _ = try transport.send(message.encoded().span, to: .peer(peer), options(.reliable), at: now)
        peers[index].withheld.removeFirst()
      }
      guard let owed = peers[index].owed else { return }
      if !owed.isGreeted {
        let iam = record(.iam, sequence: saidCount, name: name, body: iam(name))
        let message = ConversationMessage.greeting(owedAfter: owed.owedAfter, iam)
        _ = try transport.send(message.encoded().span, to: .peer(peer), options(.reliable), at: now)
        peers[index].owed?.isGreeted = true
      }
      while let line = peers[index].owed?.lines.first {
        let receipt = try transport.send(
          line.payload.span, to: .peer(peer), options(configuration.delivery), at: now)
        track(receipt, line.sequence, to: [peer], over: transport.capabilities)
        peers[index].owed?.lines.removeFirst()
      }
      peers[index].owed = nil
    } catch {
      // A full queue is tried again after its relief; a peer that is gone is owed nothing.
      if case .wouldBlock = error { return }
      peers[index].owed = nil
    }
  }

  /// A member holds a line of ours.
  mutating func acknowledged(_ message: MessageID, by peer: PeerID) {
    guard let sequence = pending.settle(message, of: peer) else { return }
    let id = RecordID(author: incarnation, sequence: sequence)
    for member in members(at: peer) { events.append(.delivered(id, to: member)) }
  }

  /// A line of ours will not reach a peer. Where that stays, it has to know, or it would wait for
  /// the line for ever.
  mutating func givenUp(_ message: MessageID, to peer: PeerID, _ reason: GiveUpReason) {
    guard let sequence = pending.settle(message, of: peer) else { return }
    let id = RecordID(author: incarnation, sequence: sequence)
    for member in members(at: peer) {
      events.append(.undelivered(id, to: member, reason))
    }
    guard reason != .connectionEnded, let index = peerIndex(peer) else { return }
    peers[index].withhold(sequence, limit: configuration.withheldLimit)
  }

  private mutating func track(
    _ receipt: SendReceipt, _ sequence: UInt64, to recipients: [PeerID],
    over capabilities: TransportCapabilities
  ) {
    // The peers that we know are counted, and not `recipients` of the receipt: of those that are
    // new to us the recent lines are counted, and those that have left are forgotten soon.
    guard receipt.granted.isReliable else { return }
    if capabilities.acknowledgesMessages {
      pending.insert(receipt.id, sequence, peers: recipients)
    } else {
      pending.note(receipt.id, sequence)
    }
  }

  func record(
    _ kind: Record.Kind, sequence: UInt64, name: ChatName, body: [UInt8]
  ) -> Record {
    Record(
      kind: kind, isUnreliable: configuration.delivery == .unreliable, room: room,
      author: incarnation, sequence: sequence, name: name, body: body)
  }

  private func iam(_ name: ChatName) -> [UInt8] { Array("iam:\(name.text)".utf8) }

  func options(_ delivery: Delivery) -> SendOptions {
    SendOptions(channel: ConversationMessage.channel, delivery: delivery)
  }
}
