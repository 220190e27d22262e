import ChatTransport
public import Primitives

extension DatagramEndpoint: DatagramMachine {
  public mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    guard workspace.trace.isOn else { return take(datagram, arrival: arrival, at: now) }
    let before = drops
    take(datagram, arrival: arrival, at: now)
    traceDrop(since: before, datagram, at: now)
  }

  private mutating func take(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    guard datagram.count > 0 else {
      drops[.unknownKind] += 1
      return
    }
    var path = arrival.path
    // A group is no address to answer from.
    if let local = path.local, local.isMulticast { path.local = nil }
    if datagram[0] & PacketHeader.mask == PacketHeader.mark {
      receiveData(datagram, on: path, at: now)
    } else if datagram[0] & HandshakePacket.mask == HandshakePacket.mark {
      receiveHandshake(datagram, on: path, at: now)
    } else {
      drops[.unknownKind] += 1
    }
  }

  private mutating func receiveHandshake(
    _ datagram: Span<UInt8>, on path: Path, at now: Instant
  ) {
    // Nobody sends more than was agreed; more would be more work for one datagram than is bounded.
    guard datagram.count <= ProtocolLimits.baseDatagramSize else {
      drops[.malformed] += 1
      return
    }
    if let packet = HandshakePacket(parsing: datagram) {
      receive(packet, on: path, at: now)
    } else if let other = UnknownVersion(parsing: datagram) {
      receive(other, on: path)
    } else {
      drops[.malformed] += 1
    }
  }

  private mutating func receiveData(_ datagram: Span<UInt8>, on path: Path, at now: Instant) {
    var offset = 0
    guard let header = PacketHeader(parsing: datagram, at: &offset) else {
      drops[.malformed] += 1
      return
    }
    guard let slot = slot(of: header.destination) else {
      drops[.unknownConnection] += 1
      return reset(header.destination, on: path, after: datagram.count, at: now)
    }
    let before = connections[slot].phase
    if before == .unconfirmed, !isFirstToConfirm(slot, at: now) { return }
    let refusal = connections[slot].receive(
      datagram, header: header, framesAt: offset, on: path, at: now, &workspace)
    if let refusal { drops[refusal.dropReason] += 1 }
    if before == .unconfirmed, connections[slot].phase != .unconfirmed { confirm(slot) }
    if refusal == nil || refusal == .unprovenPath {
      probeIfNew(path, of: slot, after: datagram.count, at: now)
    }
    noteHeldBack(slot)
    connections[slot].traceChanges(at: now, &workspace)
    touch(slot, at: now)
  }

  /// The connection of our own identifier. Datagrams of one connection often come together.
  private mutating func slot(of identifier: ConnectionID) -> Int? {
    if latestReceived.identifier == identifier, connections.contains(latestReceived.slot),
      connections[latestReceived.slot].identifiers.localID == identifier
    {
      return latestReceived.slot
    }
    guard let slot = slotOfID[identifier] else { return nil }
    latestReceived = (identifier, slot)
    return slot
  }

  /// Two callers can have come as one identity; the first to confirm has it, and the other one is
  /// refused.
  private mutating func isFirstToConfirm(_ slot: Int, at now: Instant) -> Bool {
    guard slotOfIdentity[connections[slot].identifiers.remote.identity] != nil else { return true }
    drops[.identityInUse] += 1
    unconfirmedCount -= 1
    connections[slot].close(.refused, reason: .refused, at: now, &workspace)
    settle(slot, at: now)
    return false
  }

  private mutating func confirm(_ slot: Int) {
    unconfirmedCount -= 1
    slotOfIdentity[connections[slot].identifiers.remote.identity] = slot
    cancelDials(to: slot)
  }

  public mutating func advance(to now: Instant) {
    settleTouched(at: now)
    // Each once: what a deadline asks for may be a datagram, which is only asked for afterwards.
    while let (slot, due) = timers.first, due <= now {
      timers.set(nil, for: slot)
      dueSlots.append(slot)
    }
    for slot in dueSlots where connections.contains(slot) {
      let before = connections[slot].phase
      connections[slot].advance(to: now, &workspace)
      if before == .unconfirmed, connections[slot].phase == .ended { unconfirmedCount -= 1 }
      settle(slot, at: now)
    }
    dueSlots.removeAll(keepingCapacity: true)
    advanceDials(to: now)
    tellIfClosed()
  }

  public var deadline: Instant? {
    Instant.earlier(timers.first?.deadline, dialDeadline)
  }

  public mutating func nextTransmit(
    into buffer: inout OutputSpan<UInt8>, at now: Instant
  ) -> Transmit? {
    precondition(
      buffer.count == 0 && buffer.freeCapacity >= ProtocolLimits.baseDatagramSize,
      "a datagram is written into an empty buffer of at least 1,200 bytes")
    if let (path, datagram) = handshakes.popFirst() {
      buffer.append(contentsOf: datagram)
      return Transmit(path: path)
    }
    settleTouched(at: now)
    while let slot = ready.popFirst() {
      guard connections.contains(slot), connections[slot].isQueued else { continue }
      connections[slot].isQueued = false
      let transmit = connections[slot].transmit(into: &buffer, at: now, &workspace)
      settle(slot, at: now)
      if let transmit { return transmit }
    }
    return nil
  }

  /// The datagram of `size` bytes was too large for the path.
  public mutating func didFailToSend(
    size: Int, on path: Path, error: SendFailure, at now: Instant
  ) {
    guard error == .tooLarge else { return }
    for slot in connections.slots
    where connections.contains(slot) && connections[slot].paths.current.remote == path.remote {
      connections[slot].didFailToSend(size: size, at: now)
      touch(slot, at: now)
    }
  }
}

extension Connection.Refusal {
  fileprivate var dropReason: DropCounters.Reason {
    switch self {
    case .malformed: .malformed
    case .duplicate: .duplicate
    case .acknowledgementOfUnsent: .acknowledgementOfUnsent
    case .noRoom: .noRoom
    case .unprovenPath: .unprovenPath
    case .ended: .unknownConnection
    }
  }
}
