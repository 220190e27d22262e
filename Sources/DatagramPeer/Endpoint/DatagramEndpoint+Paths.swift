import ChatTransport
public import Primitives

/// Proofs that a further path leads to the same peer.
///
/// A probe names its sender, whom everybody knows, and proves with a keyed hash that it comes from
/// one of the two ends of the connection. It does not carry the connection identifier: a probe goes
/// to an address that perhaps only a forged beacon named, and who learnt the identifier there
/// could end the connection.
extension DatagramEndpoint {
  /// Takes in which addresses this host has now.
  public mutating func localAddressesChanged(_ addresses: [IPAddress]) {
    for slot in connections.slots where connections.contains(slot) {
      connections[slot].paths.keepLocals(addresses)
    }
  }

  /// Sends one probe on `path` to the peer in `slot`.
  mutating func probe(_ path: Path, of slot: Int, at now: Instant) {
    let key = connections[slot].identifiers.pathKey
    let nonce = generator.next()
    connections[slot].paths.noteProbe(on: path, nonce: nonce, at: now)
    let tag = PathProof.tag(key: key, isReply: false, sender: local, nonce: nonce)
    send(.probe(HandshakePacket.Probe(sender: local, nonce: nonce, tag: tag)), on: path)
  }

  /// Probes the path that a datagram of a connection came by, if it is new. A probe is sent only
  /// where at least a third of its size came in.
  mutating func probeIfNew(_ path: Path, of slot: Int, after byteCount: Int, at now: Instant) {
    guard connections.contains(slot), connections[slot].phase == .established,
      connections[slot].paths.needsProbe(path, at: now), byteCount * 3 >= PathProof.probeSize
    else { return }
    probe(path, of: slot, at: now)
  }

  mutating func receive(_ probe: HandshakePacket.Probe, on path: Path, at now: Instant) {
    guard let slot = slot(for: probe, isReply: false) else {
      drops[.badProbe] += 1
      return
    }
    let key = connections[slot].identifiers.pathKey
    connections[slot].paths.noteLocal(of: path)
    let tag = PathProof.tag(key: key, isReply: true, sender: local, nonce: probe.nonce)
    send(
      .probeReply(HandshakePacket.Probe(sender: local, nonce: probe.nonce, tag: tag)), on: path)
    if connections[slot].paths.needsProbe(path, at: now) {
      self.probe(path, of: slot, at: now)
    }
  }

  mutating func receive(reply: HandshakePacket.Probe, on path: Path, at now: Instant) {
    guard let slot = slot(for: reply, isReply: true),
      connections[slot].paths.validate(path, nonce: reply.nonce, at: now)
    else {
      drops[.badProbe] += 1
      return
    }
  }

  /// The connection that a probe belongs to, if its tag is right.
  private func slot(for probe: HandshakePacket.Probe, isReply: Bool) -> Int? {
    guard let slot = slotOfIdentity[probe.sender.identity] else { return nil }
    let identifiers = connections[slot].identifiers
    guard identifiers.remote == probe.sender else { return nil }
    let tag = PathProof.tag(
      key: identifiers.pathKey, isReply: isReply, sender: probe.sender, nonce: probe.nonce)
    return probe.tag == tag ? slot : nil
  }
}

enum PathProof {
  /// The size of a probe and of its answer, in bytes.
  static let probeSize = 2 + 24 + 8 + 8

  /// Proves knowledge of both connection identifiers.
  static func tag(key: Secret, isReply: Bool, sender: Incarnation, nonce: UInt64) -> UInt64 {
    var hash = SipHash(key: key)
    hash.combine(UInt8(isReply ? 1 : 0))
    hash.combine(sender.identity.high)
    hash.combine(sender.identity.low)
    hash.combine(sender.epoch)
    hash.combine(nonce)
    return hash.finalize()
  }
}
