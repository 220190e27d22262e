import ChatTransport
public import Primitives

extension DatagramEndpoint: DatagramMachine {
  public mutating func receive(_ datagram: Span<UInt8>, arrival: Arrival, at now: Instant) {
    var path = arrival.path
    // A group is no address to answer from.
    if let local = path.local, local.isMulticast { path.local = nil }
    guard datagram.count > 0 else {
      drops[.unknownKind] += 1
      return
    }
    // Nobody sends more than was agreed; more would be more work for one datagram than is bounded.
    guard datagram.count <= ProtocolLimits.datagramSize else {
      drops[.malformed] += 1
      return
    }
    if datagram[0] & PacketHeader.mask == PacketHeader.mark {
      receiveData(datagram, on: path, at: now)
    } else if datagram[0] & HandshakePacket.mask == HandshakePacket.mark {
      guard let packet = HandshakePacket(parsing: datagram) else {
        drops[.malformed] += 1
        return
      }
      receive(packet, on: path, at: now)
    } else {
      drops[.unknownKind] += 1
    }
  }

  private mutating func receiveData(_ datagram: Span<UInt8>, on path: Path, at now: Instant) {
    var offset = 0
    guard let header = PacketHeader(parsing: datagram, at: &offset) else {
      drops[.malformed] += 1
      return
    }
    guard let slot = slotOfID[header.destination], let before = connections[slot]?.phase else {
      drops[.unknownConnection] += 1
      return
    }
    // Two callers can have come as one identity; the first to confirm has it.
    if before == .unconfirmed, let identity = connections[slot]?.identifiers.remote.identity,
      slotOfIdentity[identity] != nil
    {
      drops[.identityInUse] += 1
      unconfirmedCount -= 1
      connections[slot]?.close(.refused, reason: .refused, at: now, events: &events)
      return settle(slot, at: now)
    }
    let refusal = connections[slot]?.receive(
      datagram, header: header, framesAt: offset, on: path, at: now, events: &events)
    if let refusal { drops[refusal.dropReason] += 1 }
    if before == .unconfirmed, connections[slot]?.phase != .unconfirmed {
      unconfirmedCount -= 1
      if let remote = connections[slot]?.identifiers.remote {
        slotOfIdentity[remote.identity] = slot
        cancelDials(to: slot)
      }
    }
    if refusal == nil { probeIfNew(path, of: slot, after: datagram.count, at: now) }
    settle(slot, at: now)
  }

  public mutating func advance(to now: Instant) {
    while let (slot, due) = timers.first, due <= now {
      let before = connections[slot]?.phase
      connections[slot]?.advance(to: now, events: &events)
      if before == .unconfirmed, connections[slot]?.phase == .ended { unconfirmedCount -= 1 }
      settle(slot, at: now)
    }
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
      buffer.count == 0 && buffer.freeCapacity >= ProtocolLimits.datagramSize,
      "a datagram is written into an empty buffer of at least 1,200 bytes")
    if let (path, datagram) = handshakes.popFirst() {
      buffer.append(contentsOf: datagram)
      return Transmit(path: path)
    }
    while let slot = ready.popFirst() {
      guard connections[slot]?.isQueued == true else { continue }
      connections[slot]?.isQueued = false
      let path = connections[slot]?.transmit(into: &buffer, at: now)
      settle(slot, at: now)
      if let path { return Transmit(path: path) }
    }
    return nil
  }
}

extension Connection.Refusal {
  fileprivate var dropReason: DropCounters.Reason {
    switch self {
    case .malformed: .malformed
    case .duplicate: .duplicate
    case .acknowledgementOfUnsent: .acknowledgementOfUnsent
    case .noRoom: .noRoom
    case .ended: .unknownConnection
    }
  }
}
