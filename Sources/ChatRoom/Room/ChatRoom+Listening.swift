import ChatCodec
public import ChatTransport
public import Primitives

/// What the others tell us. Nothing in it is trusted.
extension ChatRoom {
  mutating func receive(_ message: ReceivedMessage, at now: Instant) {
    guard message.channel == ConversationMessage.channel else {
      counters.otherChannel += 1
      return
    }
    guard let peer = peerIndex(message.peer) else {
      counters.unknownPeer += 1
      return
    }
    guard let content = ConversationMessage(decoding: message.payload.span) else {
      counters.malformed += 1
      return
    }
    switch content {
    case .greeting(let owedAfter, let record):
      guard accepts(record.room, record.author) else { return }
      greeted(by: record, owedAfter: owedAfter, at: peer, now)
    case .record(let record):
      guard accepts(record.room, record.author) else { return }
      // The budget of each author (lines a second) will be spent here, before anything is kept.
      if record.kind == .bye {
        let farewell = WaitingRecords.Farewell(
          last: record.sequence, isUnreliable: record.isUnreliable)
        farewelled(farewell, by: record.author, at: peer, now)
      } else {
        let line = Line(
          sequence: record.sequence, isUnreliable: record.isUnreliable, text: record.text)
        said(line, by: record.author, at: peer, now)
      }
    case .withheld(let author, let lines):
      guard accepts(room, author) else { return }
      withheld(lines, by: author, at: peer)
    }
    roster.forgetAbsent(beyond: configuration.absentLimit)
  }

  /// Whether something of this author in this room is to be looked at further.
  private mutating func accepts(_ other: RoomHash, _ author: Incarnation) -> Bool {
    guard other == room else {
      counters.otherRoom += 1
      return false
    }
    guard author.identity != incarnation.identity else {
      counters.reflected += 1
      return false
    }
    if let index = roster.index(of: author.identity),
      author.epoch < roster.authors[index].incarnation.epoch
    {
      counters.stale += 1
      return false
    }
    return true
  }

  private mutating func said(_ line: Line, by author: Incarnation, at peer: Int, _ now: Instant) {
    guard let index = speaker(author, at: peer) else {
      if !peers[peer].waiting.keep(line, by: author, limits: configuration.waitingLimits) {
        counters.overWaitingLimit += 1
      }
      return
    }
    take(line, of: index, now)
    finishLeaving(index)
  }

  private mutating func farewelled(
    _ farewell: WaitingRecords.Farewell, by author: Incarnation, at peer: Int, _ now: Instant
  ) {
    guard let index = speaker(author, at: peer) else {
      if !peers[peer].waiting.keep(farewell, by: author, limits: configuration.waitingLimits) {
        counters.overWaitingLimit += 1
      }
      return
    }
    // A goodbye over a connection that another has taken the place of is an old one.
    guard roster.authors[index].presence?.peer == peers[peer].id else { return }
    take(farewell, of: index, now)
    finishLeaving(index)
  }

  private mutating func withheld(
    _ lines: ClosedRange<UInt64>, by author: Incarnation, at peer: Int
  ) {
    guard let index = speaker(author, at: peer) else {
      let limits = configuration.waitingLimits
      if !peers[peer].waiting.keep(withheld: lines, by: author, limits: limits) {
        counters.overWaitingLimit += 1
      }
      return
    }
    change(index) { stream, output in stream.giveUp(lines, into: &output) }
    finishLeaving(index)
  }

  /// The index in the roster of a member for whom this peer speaks.
  private func speaker(_ author: Incarnation, at peer: Int) -> Int? {
    guard peers[peer].authors.contains(author) else { return nil }
    return roster.index(of: author.identity)
  }
}

/// The lines of the members, in order.
extension ChatRoom {
  /// Acts on what is due: lines that have been missing for too long, members who said goodbye and
  /// only stayed for those, and our own goodbye.
  public mutating func advance<Transport: SynchronousTransport & ~Copyable>(
    over transport: inout Transport, at now: Instant
  ) {
    if let due = farewell?.due, due <= now {
      farewell = nil
      transport.close(at: now)
    }
    for index in roster.authors.indices {
      guard let due = roster.authors[index].stream.deadline, due <= now else { continue }
      change(index) { stream, output in stream.advance(to: now, into: &output) }
      finishLeaving(index)
    }
    roster.forgetAbsent(beyond: configuration.absentLimit)
  }

  mutating func take(_ line: Line, of index: Int, _ now: Instant) {
    let otherCost = heldCost - roster.authors[index].stream.heldCost
    let limits = configuration.streamLimits(otherCost: otherCost)
    let gapDue = now + configuration.gapDelay
    var isNew = false
    change(index) { stream, output in
      isNew = stream.receive(line, gapDue: gapDue, limits: limits, into: &output)
    }
    if !isNew { counters.duplicates += 1 }
  }

  /// A goodbye may overtake the last lines, and so its author stays until they are in.
  mutating func take(_ farewell: WaitingRecords.Farewell, of index: Int, _ now: Instant) {
    let delay = farewell.isUnreliable ? configuration.gapDelay : configuration.farewellDelay
    change(index) { stream, _ in
      stream.expect(upTo: farewell.last, due: nil)
      stream.setDue(now + delay, upTo: stream.highest)
    }
    roster.authors[index].presence?.isLeaving = true
  }

  /// Changes the stream of a member, and tells what comes of it.
  mutating func change(
    _ index: Int, _ body: (inout AuthorStream, inout [AuthorStream.Output]) -> Void
  ) {
    var output: [AuthorStream.Output] = []
    let before = roster.authors[index].stream.heldCost
    body(&roster.authors[index].stream, &output)
    heldCost += roster.authors[index].stream.heldCost - before
    guard !output.isEmpty, let member = roster.member(at: index) else { return }
    for element in output {
      switch element {
      case .gap(let missing): events.append(.gap(member, missing: missing))
      case .line(let line):
        let id = RecordID(author: member.incarnation, sequence: line.sequence)
        events.append(
          .message(
            RoomMessage(id: id, from: member, bytes: line.text, delivery: line.delivery)))
      }
    }
  }
}
