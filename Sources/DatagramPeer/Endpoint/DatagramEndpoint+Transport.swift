public import ChatTransport
public import Primitives

extension DatagramEndpoint: SynchronousTransport {
  public var capabilities: TransportCapabilities {
    TransportCapabilities(
      deliveries: Set(Delivery.allCases), maximumMessageSize: ProtocolLimits.messageSize,
      channelCount: 256, numbersMessages: true, acknowledgesMessages: true,
      supportsMaximumAge: false)
  }

  public mutating func send(
    _ payload: Span<UInt8>, to destination: Destination, _ options: SendOptions, at now: Instant
  ) throws(SendError) -> SendReceipt {
    guard !isClosing else { throw .closed }
    let granted = try capabilities.check(payloadSize: payload.count, options)
    let stream = StreamKey(channel: options.channel, delivery: granted)
    let bytes = payload.copy(0..<payload.count)
    let id = MessageID(rawValue: nextMessageID)
    var recipients = 0
    switch destination {
    case .peer(let peer):
      guard let slot = slotOfPeer[peer], connections[slot]?.isOpen == true else {
        throw .noSuchPeer(peer)
      }
      guard accept(bytes, id: id, stream: stream, slot: slot, at: now) else {
        throw .wouldBlock(peer)
      }
      recipients = 1
    case .everyone:
      for slot in connections.indices where connections[slot]?.isOpen == true {
        if accept(bytes, id: id, stream: stream, slot: slot, at: now) {
          recipients += 1
        } else if let peer = connections[slot]?.peer {
          events.append(.givenUp(id, to: peer, .queueFull))
        }
      }
    }
    nextMessageID += 1
    messagesSent += 1
    return SendReceipt(id: id, granted: granted, recipients: recipients)
  }

  /// Queues a message for one peer; false where its queue is full.
  private mutating func accept(
    _ payload: [UInt8], id: MessageID, stream: StreamKey, slot: Int, at now: Instant
  ) -> Bool {
    guard let connection = connections[slot] else { return false }
    let limit = configuration.sendQueueLimit
    let held = connection.outgoing.heldBytes + payload.count + OutgoingMessages.messageCost
    // Whoever is turned away is told of the relief, even where one message fills the queue.
    if held > limit / 4 * 3, !connection.isUnderPressure {
      connections[slot]?.isUnderPressure = true
      events.append(.pressure(connection.peer))
    }
    guard held <= limit else { return false }
    connections[slot]?.outgoing.accept(payload, id: id, stream: stream)
    connections[slot]?.counters.messagesSent += 1
    settle(slot, at: now)
    return true
  }

  public mutating func nextEvent() -> TransportEvent? {
    events.popFirst()
  }

  /// An address that the user named and that led to this peer is not called again. Discovery may
  /// find the peer anew.
  public mutating func disconnect(_ peer: PeerID, at now: Instant) {
    guard let slot = slotOfPeer[peer], connections[slot]?.isOpen == true else { return }
    targets.removeAll { $0.peer == peer }
    connections[slot]?.close(.goodbye, reason: .closedByUs, at: now, events: &events)
    settle(slot, at: now)
  }

  public mutating func close(at now: Instant) {
    guard !isClosing else { return }
    isClosing = true
    dials.removeAll()
    targets.removeAll()
    for slot in connections.indices {
      switch connections[slot]?.phase {
      case .established:
        connections[slot]?.close(.goodbye, reason: .closedByUs, at: now, events: &events)
      case .unconfirmed:
        connections[slot]?.phase = .ended
        unconfirmedCount -= 1
      case .draining: connections[slot]?.shortenDraining(at: now)
      default: continue
      }
      settle(slot, at: now)
    }
    tellIfClosed()
  }

  public func statistics(of peer: PeerID) -> TransportStatistics? {
    connection(slotOfPeer[peer])?.statistics
  }

  public var statistics: TransportStatistics {
    var total = retired
    for connection in connections {
      if let connection { total.add(connection.statistics) }
    }
    total.messagesSent = messagesSent
    return total
  }
}
