import ChatCodec
import ChatTransport
import Primitives

/// Who is here, and over which peer.
extension ChatRoom {
  func peerIndex(_ peer: PeerID) -> Int? {
    let index = peers.partitioningIndex { $0.id >= peer }
    return index < peers.count && peers[index].id == peer ? index : nil
  }

  /// The members for whom a peer speaks.
  func members(at peer: PeerID) -> [Member] {
    guard let index = peerIndex(peer) else { return [] }
    return peers[index].authors.compactMap { author in
      roster.index(of: author.identity).flatMap { roster.member(at: $0) }
    }.filter { $0.peer == peer }
  }

  mutating func addPeer(_ peer: PeerID, _ information: PeerInformation) {
    guard peerIndex(peer) == nil else { return }
    peers.insert(
      PeerState(id: peer, information: information),
      at: peers.partitioningIndex { $0.id >= peer })
  }

  /// Those for whom only this peer spoke leave with it.
  mutating func removePeer(_ peer: PeerID, _ reason: LeaveReason) {
    guard let index = peerIndex(peer) else { return }
    for author in peers[index].authors {
      guard let author = roster.index(of: author.identity),
        let presence = roster.authors[author].presence, presence.peer == peer
      else { continue }
      depart(author, presence.isLeaving ? .closedByThem : reason)
    }
    peers.remove(at: peerIndex(peer) ?? index)
    pending.forget(peer)
    roster.forgetAbsent(beyond: configuration.absentLimit)
  }

  /// An author introduces himself over a peer.
  mutating func greeted(
    by record: Record, owedAfter: UInt64, at peer: Int, _ now: Instant
  ) {
    let author = record.author
    guard maySpeak(for: author, peer) else {
      counters.impersonated += 1
      return
    }
    guard !peers[peer].authors.contains(author) else {
      counters.duplicates += 1
      return
    }
    guard peers[peer].authors.count < configuration.memberLimitPerPeer else {
      counters.overMemberLimit += 1
      return
    }
    if let known = roster.index(of: author.identity),
      let presence = roster.authors[known].presence
    {
      if roster.authors[known].incarnation.epoch < author.epoch {
        depart(known, .replaced)
      } else if presence.isLeaving {
        depart(known, .closedByThem)
      } else {
        move(known, to: peer, owedAfter: owedAfter, now)
        return
      }
    }
    guard roster.presentCount < configuration.memberLimit else {
      counters.overMemberLimit += 1
      return
    }
    let index = roster.admit(
      author, owedAfter: owedAfter, name: record.name, peer: peers[peer].id,
      path: peers[peer].information.path)
    peers[peer].authors.append(author)
    resolveNames()
    if let member = roster.member(at: index) { events.append(.joined(member)) }
    // Somebody who was away missed what he said to others meanwhile, and nobody will send it.
    change(index) { stream, output in
      stream.expect(upTo: owedAfter, due: nil)
      stream.giveUpAll(into: &output)
    }
    takeWaiting(index, at: peer, now)
  }

  /// Ends the leaving of a member who said goodbye, once all his lines are told.
  mutating func finishLeaving(_ index: Int) {
    guard roster.authors[index].presence?.isLeaving == true,
      roster.authors[index].stream.isComplete
    else { return }
    depart(index, .closedByThem)
  }

  mutating func resolveNames() {
    var own: ChatName?
    if case .joined(let name) = state { own = name }
    resolvedOwnName = roster.resolveNames(own: own, incarnation.identity)
  }

  /// The same life of a member has a new connection, while the old one has not ended yet.
  ///
  /// What the old one still brings is taken for a moment; then only the new one is waited for.
  private mutating func move(_ index: Int, to peer: Int, owedAfter: UInt64, _ now: Instant) {
    roster.authors[index].presence?.peer = peers[peer].id
    roster.authors[index].presence?.path = peers[peer].information.path
    peers[peer].authors.append(roster.authors[index].incarnation)
    let due = now + configuration.gapDelay
    change(index) { stream, _ in
      stream.expect(upTo: owedAfter, due: nil)
      stream.setDue(due, upTo: owedAfter)
    }
    takeWaiting(index, at: peer, now)
  }

  /// Takes in what came over a peer before the greeting.
  private mutating func takeWaiting(_ index: Int, at peer: Int, _ now: Instant) {
    guard let waiting = peers[peer].waiting.take(roster.authors[index].incarnation) else { return }
    if waiting.droppedUpTo > 0 {
      change(index) { stream, output in
        stream.giveUp(1...waiting.droppedUpTo, into: &output)
      }
    }
    for line in waiting.lines { take(line, of: index, now) }
    for lines in waiting.withheld {
      change(index) { stream, output in stream.giveUp(lines, into: &output) }
    }
    if let farewell = waiting.farewell { take(farewell, of: index, now) }
    finishLeaving(index)
  }

  /// A member leaves. What is missing will not come, and what waited for it is shown first.
  private mutating func depart(_ index: Int, _ reason: LeaveReason) {
    change(index) { stream, output in stream.giveUpAll(into: &output) }
    guard let member = roster.member(at: index) else { return }
    events.append(.left(member, reason))
    for peer in peers.indices { peers[peer].authors.removeAll { $0 == member.incarnation } }
    roster.dismiss(index)
    resolveNames()
  }

  /// Whether a peer may introduce an author. Of whom the transport knows that he is here himself,
  /// only he may; nobody else can take his place. Of others the first claim counts.
  private func maySpeak(for author: Incarnation, _ peer: Int) -> Bool {
    if let own = peers[peer].information.incarnation, own.identity == author.identity {
      return own == author
    }
    return !peers.contains { $0.information.incarnation?.identity == author.identity }
  }
}

extension PeerState {
  /// Makes a note that a line of ours will not come to this peer.
  mutating func withhold(_ sequence: UInt64, limit: Int) {
    if let last = withheld.last, last.upperBound + 1 == sequence {
      withheld[withheld.count - 1] = last.lowerBound...sequence
      return
    }
    withheld.append(sequence...sequence)
    guard withheld.count > limit, limit > 0 else { return }
    let (first, second) = (withheld[0], withheld[1])
    withheld.replaceSubrange(
      0..<2,
      with: [
        min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
      ])
  }
}
