public import ChatTransport
public import Primitives

extension DatagramEndpoint: SynchronousTransport {
  private static let allCapabilities = TransportCapabilities(
    deliveries: Set(Delivery.allCases), maximumMessageSize: ProtocolLimits.reliableMessageSize,
    maximumUnreliableMessageSize: ProtocolLimits.unreliableMessageSize, channelCount: 256,
    numbersMessages: true, acknowledgesMessages: true, supportsMaximumAge: true)

  public var capabilities: TransportCapabilities { Self.allCapabilities }

  public mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    guard !isClosing else { throw .closed }
    let limit = ProtocolLimits.messageSize(of: options.delivery)
    guard payload.count <= limit else {
      throw .tooLarge(size: payload.count, limit: limit)
    }
    let id = MessageID(rawValue: nextMessageID)
    var recipients = 0
    switch destination {
    case .peer(let peer):
      let slot = try openSlot(of: peer)
      guard accept(payload, id: id, options, slot: slot, at: now) else { throw .wouldBlock(peer) }
      recipients = 1
    case .everyone:
      for slot in connections.slots
      where connections.contains(slot) && connections[slot].isOpen {
        if accept(payload, id: id, options, slot: slot, at: now) {
          recipients += 1
        } else {
          workspace.inbox.append(.givenUp(id, to: connections[slot].peer, .queueFull))
        }
      }
    }
    nextMessageID += 1
    messagesSent += 1
    return SendReceipt(id: id, granted: options.delivery, recipients: recipients)
  }

  public mutating func send(
    run: Span<UInt8>, count: Int, to destination: Destination, _ options: SendOptions,
    at now: Instant
  ) throws(SendError) -> Int {
    guard !isClosing else { throw .closed }
    guard case .peer(let peer) = destination, options.delivery.isReliable,
      options.maximumAge == nil
    else {
      return try sendEach(run: run, count: count, to: destination, options, at: now)
    }
    let slot = try openSlot(of: peer)
    connections[slot].notePressure(adding: run.count, &workspace)
    guard connections[slot].hasRoom(for: run.count) else { throw .wouldBlock(peer) }
    connections[slot].accept(
      run: run, count: count, first: MessageID(rawValue: nextMessageID), options)
    nextMessageID += UInt64(count)
    messagesSent += UInt64(count)
    touch(slot, at: now)
    return count
  }

  /// The connection to a peer to which messages can be given.
  private mutating func openSlot(of peer: PeerID) throws(SendError) -> Int {
    if connections.contains(latestSlot), connections[latestSlot].peer == peer,
      connections[latestSlot].isOpen
    {
      return latestSlot
    }
    guard let slot = slotOfPeer[peer], connections[slot].isOpen else { throw .noSuchPeer(peer) }
    latestSlot = slot
    return slot
  }

  /// Queues a message for one peer; false where its queue is full.
  private mutating func accept(
    _ payload: Span<UInt8>, id: MessageID, _ options: SendOptions, slot: Int, at now: Instant
  ) -> Bool {
    // Whoever is turned away is told of the relief, even where one message fills the queue.
    connections[slot].notePressure(adding: payload.count, &workspace)
    guard connections[slot].hasRoom(for: payload.count),
      connections[slot].accept(payload, id: id, options, at: now)
    else { return false }
    touch(slot, at: now)
    return true
  }

  // MARK: Reading

  public mutating func nextEvent() -> TransportEvent? {
    let event = workspace.inbox.nextEvent()
    if workspace.inbox.isEmpty { handOverHeldBack() }
    return event
  }

  public mutating func readMessages(
    atMost limit: Int, _ body: (Span<UInt8>, MessageInfo) -> Void
  ) -> Int {
    let count = workspace.inbox.readMessages(atMost: limit, body)
    if workspace.inbox.isEmpty { handOverHeldBack() }
    return count
  }

  public mutating func moveMessages(atMost limit: Int, to batch: inout EventBatch) -> Int {
    let count = workspace.inbox.moveMessages(atMost: limit, to: &batch)
    if workspace.inbox.isEmpty { handOverHeldBack() }
    return count
  }

  /// Notes that a connection has messages for which there was no place in the inbox.
  mutating func noteHeldBack(_ slot: Int) {
    guard connections[slot].receiving.hasUndelivered, !connections[slot].isHeldBack else { return }
    connections[slot].isHeldBack = true
    heldBack.append(slot)
  }

  /// The user has read everything: what was held back meanwhile takes its place.
  private mutating func handOverHeldBack() {
    while workspace.mayDeliver, let slot = heldBack.popFirst() {
      guard connections.contains(slot), connections[slot].isHeldBack else { continue }
      connections[slot].isHeldBack = false
      connections[slot].deliver(&workspace)
      noteHeldBack(slot)
      if !connections[slot].isTouched {
        connections[slot].isTouched = true
        touched.append(slot)
      }
    }
  }

  public mutating func setReceiving(
    _ isReceiving: Bool, from peer: PeerID, channel: UInt8, at now: Instant
  ) {
    guard let slot = slotOfPeer[peer] else { return }
    connections[slot].pause(channel, !isReceiving)
    if isReceiving, workspace.mayDeliver { connections[slot].deliver(&workspace) }
    noteHeldBack(slot)
    touch(slot, at: now)
  }

  // MARK: Ending

  /// An address that the user named and that led to this peer is not called again. Discovery may
  /// find the peer anew.
  public mutating func disconnect(_ peer: PeerID, at now: Instant) {
    guard let slot = slotOfPeer[peer], connections[slot].isOpen else { return }
    targets.removeAll { $0.peer == peer }
    connections[slot].close(.goodbye, reason: .closedByUs, at: now, &workspace)
    settle(slot, at: now)
  }

  public mutating func close(at now: Instant) {
    guard !isClosing else { return }
    isClosing = true
    dials.removeAll()
    targets.removeAll()
    for slot in connections.slots where connections.contains(slot) {
      switch connections[slot].phase {
      case .established:
        connections[slot].close(.goodbye, reason: .closedByUs, at: now, &workspace)
      case .unconfirmed:
        connections[slot].phase = .ended
        unconfirmedCount -= 1
      case .draining: connections[slot].shortenDraining(at: now)
      case .closing, .ended: continue
      }
      settle(slot, at: now)
    }
    tellIfClosed()
  }

  // MARK: Figures

  public func statistics(of peer: PeerID) -> TransportStatistics? {
    slotOfPeer[peer].map { connections[$0].statistics }
  }

  public var statistics: TransportStatistics {
    var total = retired
    for slot in connections.slots where connections.contains(slot) {
      total.add(connections[slot].statistics)
    }
    total.messagesSent = messagesSent
    return total
  }
}
