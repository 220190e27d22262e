import ChatTransport
import Primitives

/// What is said to those with whom there is no common ground: no such connection, or another
/// version of the protocol.
extension DatagramEndpoint {
  /// Tells the sender of a data packet that its connection is not there: after a restart, or as it
  /// was given up here. So the other side knows within one round trip (RFC 9000, section 10.3).
  ///
  /// What makes a reset believable is that it repeats the identifier which the packet bore, 64
  /// random bits that only the two ends and who can read their datagrams know. It is smaller than
  /// three times any data packet, never answered itself, and limited in rate.
  mutating func reset(
    _ identifier: ConnectionID, on path: Path, after byteCount: Int, at now: Instant
  ) {
    guard !isClosing, HandshakePacket.Reset.size <= 3 * byteCount, resets.take(at: now) else {
      return
    }
    send(.reset(HandshakePacket.Reset(sender: local, destination: identifier)), on: path)
  }

  mutating func receive(_ reset: HandshakePacket.Reset, on path: Path, at now: Instant) {
    guard let slot = slotOfIdentity[reset.sender.identity],
      connections[slot].identifiers.remoteID == reset.destination,
      connections[slot].paths.isValidated(path.remote),
      reset.sender.epoch >= connections[slot].identifiers.remote.epoch
    else {
      drops[.badReset] += 1
      return
    }
    let isRestart = reset.sender.epoch > connections[slot].identifiers.remote.epoch
    connections[slot].end(isRestart ? .replaced : .timedOut, at: now, &workspace)
    settle(slot, at: now)
  }

  // MARK: Versions

  /// Answers a call in another version of the protocol with the versions that are spoken here,
  /// which takes fewer bytes than any call, and keeps nothing.
  mutating func receive(_ other: UnknownVersion, on path: Path) {
    drops[.otherVersion] += 1
    guard other.isCall, !isClosing else { return }
    let answer = HandshakePacket.Versions(
      destination: other.source, versions: [HandshakePacket.version])
    guard answer.size <= other.size else { return }
    send(.versions(answer), on: path)
  }

  /// Notes that somebody who was called does not speak our version. The call is not ended by that:
  /// whoever has seen it could answer so, and keep two from each other who understand each other
  /// (RFC 9000, section 6.2). The user is told when it has had no other answer in its time.
  mutating func receive(_ answer: HandshakePacket.Versions, on path: Path) {
    let index = dials.firstIndex {
      $0.localID == answer.destination && $0.path.remote == path.remote && $0.responder == nil
    }
    guard let index, !answer.versions.contains(HandshakePacket.version) else {
      drops[.unexpectedAnswer] += 1
      return
    }
    drops[.otherVersion] += 1
    dials[index].otherVersions = answer.versions
  }

  /// More addresses are not remembered; then those may be told of again that were told of first.
  private static let incompatibleLimit = 64

  /// Tells of a call that was answered in other versions and in no other way.
  mutating func tellIfIncompatible(_ dial: Dial) {
    guard dial.responder == nil, !dial.otherVersions.isEmpty else { return }
    let found = IncompatibleVersion(
      remote: dial.path.remote, theirs: dial.otherVersions, ours: HandshakePacket.version)
    guard !incompatible.contains(found) else { return }
    forgetIncompatible(at: found.remote)
    if incompatible.count == Self.incompatibleLimit { incompatible.removeFirst() }
    incompatible.append(found)
    workspace.inbox.append(.incompatible(found))
  }

  mutating func forgetIncompatible(at remote: SocketAddress) {
    incompatible.removeAll { $0.remote == remote }
  }
}
