import Primitives

/// What the endpoints do with one another.
extension InMemoryNetwork {
  func send(
    _ payload: Span<UInt8>, from index: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> SendReceipt {
    guard !endpoints[index].isClosed else { throw .closed }
    let delivery = try endpoints[index].capabilities.check(payloadSize: payload.count, options)
    let size = payload.count
    var recipients: [Int]
    switch destination {
    case .everyone: recipients = Array(endpoints[index].links.indices)
    case .peer(let peer):
      guard let link = endpoints[index].link(of: peer) else { throw .noSuchPeer(peer) }
      guard endpoints[index].hasRoom(for: size, over: link) else { throw .wouldBlock(peer) }
      recipients = [link]
    }
    let id = endpoints[index].newMessageID()
    let message = InMemoryMessage(
      id: id, channel: options.channel, delivery: delivery,
      expiry: delivery.isReliable ? options.maximumAge.map { now + $0 } : nil,
      payload: payload.copy(payload.indices))
    recipients.removeAll { link in
      guard !endpoints[index].hasRoom(for: size, over: link) else { return false }
      refuse(message, from: index, over: link)
      return true
    }
    for link in recipients { accept(message, from: index, over: link) }
    endpoints[index].statistics.messagesSent += UInt64(recipients.count)
    return SendReceipt(id: id, granted: delivery, recipients: recipients.count)
  }

  func nextEvent(of index: Int) -> TransportEvent? {
    guard let entry = endpoints[index].inbox.popFirst() else { return nil }
    switch entry {
    case .event(let event): return event
    case .message(let message, let id):
      acknowledge(id, message, at: index)
      endpoints[index].statistics.messagesReceived += 1
      return .message(message)
    }
  }

  func advance(_ index: Int, to now: Instant) {
    guard let expiry = endpoints[index].expiry, expiry <= now else { return }
    for link in endpoints[index].links.indices {
      var kept = Queue<InMemoryMessage>()
      while let message = endpoints[index].links[link].held.popFirst() {
        if let expiry = message.expiry, expiry <= now {
          settle(message.id, size: message.payload.count, from: index, over: link)
          let peer = endpoints[index].links[link].peer
          endpoints[index].tell(.givenUp(message.id, to: peer, .tooOld))
        } else {
          kept.append(message)
        }
      }
      endpoints[index].links[link].held = kept
    }
  }

  func disconnect(_ here: Int, _ there: Int, reasonHere: LeaveReason, reasonThere: LeaveReason) {
    guard let link = endpoints[here].link(to: there),
      let linkThere = endpoints[there].link(to: here)
    else { return }
    endpoints[here].endLink(at: link, reasonHere)
    endpoints[there].endLink(at: linkThere, reasonThere)
  }

  func close(
    _ index: Int, _ reason: CloseReason, reasonHere: LeaveReason, reasonThere: LeaveReason
  ) {
    guard !endpoints[index].isClosed else { return }
    while let remote = endpoints[index].links.first?.remote {
      disconnect(index, remote, reasonHere: reasonHere, reasonThere: reasonThere)
    }
    endpoints[index].isClosed = true
    endpoints[index].tell(.closed(reason))
  }

  /// Hands a message over to the other end of a link.
  func deliver(_ message: InMemoryMessage, from index: Int, over link: Int) {
    let (remote, peer) = (
      endpoints[index].links[link].remote, endpoints[index].links[link].nameThere
    )
    let numbered = endpoints[remote].capabilities.numbersMessages
    guard let linkThere = endpoints[remote].link(to: index) else { return }
    if let missing = endpoints[remote].links[linkThere].gap(before: message), numbered {
      endpoints[remote].tell(
        .gap(
          Gap(
            peer: peer, channel: message.channel, delivery: message.delivery, missing: missing)))
    }
    let received = ReceivedMessage(
      peer: peer, channel: message.channel, delivery: message.delivery,
      sequence: numbered ? message.sequence : nil, payload: message.payload)
    endpoints[remote].inbox.append(.message(received, message.id))
  }

  private func accept(_ message: InMemoryMessage, from index: Int, over link: Int) {
    let message = endpoints[index].links[link].number(message)
    guard message.delivery.isReliable || endpoints[index].links[link].dropCount == 0 else {
      endpoints[index].links[link].dropCount -= 1
      return
    }
    if endpoints[index].enqueue(message, over: link) {
      endpoints[index].tell(.pressure(endpoints[index].links[link].peer))
    }
    if endpoints[index].links[link].isHeld {
      endpoints[index].links[link].held.append(message)
    } else {
      deliver(message, from: index, over: link)
    }
  }

  /// One peer has no room for what goes to everyone: of the reliable kinds it is told, of the
  /// others the receiver sees a gap.
  private func refuse(_ message: InMemoryMessage, from index: Int, over link: Int) {
    guard message.delivery.isReliable else {
      _ = endpoints[index].links[link].number(message)
      return
    }
    let peer = endpoints[index].links[link].peer
    endpoints[index].tell(.givenUp(message.id, to: peer, .queueFull))
  }

  /// The receiver at `index` has pulled a message, and its sender hears of it.
  private func acknowledge(_ id: MessageID, _ message: ReceivedMessage, at index: Int) {
    guard let link = endpoints[index].link(of: message.peer) else { return }
    endpoints[index].links[link].statistics.messagesReceived += 1
    let sender = endpoints[index].links[link].remote
    guard let back = endpoints[sender].link(to: index) else { return }
    if message.delivery.isReliable, endpoints[sender].capabilities.acknowledgesMessages {
      endpoints[sender].tell(.acknowledged(id, by: endpoints[sender].links[back].peer))
    }
    settle(id, size: message.payload.count, from: sender, over: back)
  }

  /// A message is off the queue of its sender.
  private func settle(_ id: MessageID, size: Int, from index: Int, over link: Int) {
    if endpoints[index].dequeue(id, size: size, over: link) {
      endpoints[index].tell(.relief(endpoints[index].links[link].peer))
    }
  }
}
