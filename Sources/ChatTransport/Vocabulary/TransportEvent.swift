public import Primitives

/// What a transport tells the one who uses it.
///
/// For each peer: `peerJoined` once, then anything else, then `peerLeft` once and nothing after it.
/// `closed` comes once, as the very last event.
public enum TransportEvent: Hashable, Sendable {
  /// There is no connection yet, or no more, and the transport will try again.
  case waiting(nextTry: Instant?)
  /// Somebody is there who speaks another version of the protocol. Told once for each address. The
  /// transport goes on as if it had not heard it, since nothing vouches for it.
  case incompatible(IncompatibleVersion)
  case peerJoined(PeerID, PeerInformation)
  case peerLeft(PeerID, LeaveReason)
  case message(ReceivedMessage)
  /// A datagram from a program that does not speak the protocol, such as `nc -u`.
  case plain(PlainMessage)
  case gap(Gap)
  /// The peer holds the message. Told for reliable kinds, once for each peer.
  case acknowledged(MessageID, by: PeerID)
  /// A reliable message, or one of any kind that found the queue full, will not be delivered to
  /// this peer; the last word about it.
  case givenUp(MessageID, to: PeerID, GiveUpReason)
  /// The queue to this peer has become long: the sender is faster than the way to it.
  case pressure(PeerID)
  /// The queue that was long has become short again.
  case relief(PeerID)
  /// The transport has ended.
  case closed(CloseReason)
}

/// What somebody speaks with whom there can be no connection.
public struct IncompatibleVersion: Hashable, Sendable {
  /// Where the answer came from.
  public var remote: SocketAddress
  /// The versions of the protocol that are spoken there.
  public var theirs: [UInt8]
  /// The version that is spoken here.
  public var ours: UInt8

  public init(remote: SocketAddress, theirs: [UInt8], ours: UInt8) {
    self.remote = remote
    self.theirs = theirs
    self.ours = ours
  }
}

/// What is known of a peer when it joins.
public struct PeerInformation: Hashable, Sendable {
  /// Who it says it is, where the protocol carries that.
  public var incarnation: Incarnation?
  /// Where its datagrams come from, where there is such a thing.
  public var path: Path?

  public init(incarnation: Incarnation? = nil, path: Path? = nil) {
    self.incarnation = incarnation
    self.path = path
  }
}

/// Why a peer left.
public enum LeaveReason: String, Hashable, Sendable, CaseIterable {
  /// We closed the connection.
  case closedByUs
  /// The peer said goodbye.
  case closedByThem
  /// Nothing was heard from it for too long.
  case timedOut
  /// The same identity has come back in a new life.
  case replaced
  /// One side would not have the connection.
  case refused
  /// One side found that the other does not keep to the protocol.
  case brokeProtocol
}

/// Why a message was given up.
public enum GiveUpReason: String, Hashable, Sendable, CaseIterable {
  /// The connection ended before the message was acknowledged; the peer may hold it or not.
  case connectionEnded
  /// Its maximum age was reached.
  case tooOld
  /// The queue to this peer was full when the message was sent to everyone.
  case queueFull
}

/// Why a transport ended.
public enum CloseReason: Hashable, Sendable {
  /// Its user closed it.
  case closedByUs
  /// The network below it cannot be used; in words, for a person.
  case failed(String)
}

/// A message from a peer.
public struct ReceivedMessage: Hashable, Sendable {
  public var peer: PeerID
  public var channel: UInt8
  /// The delivery under which it came.
  public var delivery: Delivery
  /// Its number among the messages of this peer, channel and delivery, from 0 upwards, where the
  /// transport counts them.
  public var sequence: UInt64?
  public var payload: [UInt8]

  public init(
    peer: PeerID, channel: UInt8, delivery: Delivery, sequence: UInt64? = nil, payload: [UInt8]
  ) {
    self.peer = peer
    self.channel = channel
    self.delivery = delivery
    self.sequence = sequence
    self.payload = payload
  }
}

/// A bare `iam:` or `msg:` datagram: unreliable, unnumbered, from an address and not from a peer.
public struct PlainMessage: Hashable, Sendable {
  public var path: Path
  public var payload: [UInt8]

  public init(path: Path, payload: [UInt8]) {
    self.path = path
    self.payload = payload
  }
}

/// Messages of an unreliable kind that did not arrive, as the sequence numbers show. One that
/// arrives later all the same is delivered nevertheless where its kind allows it.
public struct Gap: Hashable, Sendable {
  public var peer: PeerID
  public var channel: UInt8
  public var delivery: Delivery
  /// The sequence numbers that are missing.
  public var missing: Range<UInt64>

  public init(peer: PeerID, channel: UInt8, delivery: Delivery, missing: Range<UInt64>) {
    self.peer = peer
    self.channel = channel
    self.delivery = delivery
    self.missing = missing
  }
}
