import ChatTransport
import Primitives

/// The packets that find out whether somebody is at an address and open a connection with him;
/// Docs/WireFormat.md, "Handshake packets".
enum HandshakePacket: Equatable {
  /// «Is somebody there?» Costs the receiver no memory.
  case hello(Hello)
  /// «Yes; say it again with this cookie, so that I see you are where you claim to be.»
  case challenge(Challenge)
  /// The wish for a connection, with the cookie.
  case open(Open)
  /// The connection is open.
  case accept(Accept)
  /// «Does this path lead to you, too?» from one end of a connection to the other.
  case probe(Probe)
  /// The answer to a probe.
  case probeReply(Probe)
  /// The versions that are spoken, to who called in another one.
  case versions(Versions)
  /// «There is no such connection here.»
  case reset(Reset)

  struct Hello: Equatable {
    /// The dialler's name for the connection to be.
    var source: ConnectionID
    var dialler: Incarnation
    /// Whom the dialler expects; `nil` where it does not know.
    var expected: Incarnation?
    var topics: [UInt64]

    /// The size of the packet in bytes.
    static func size(topicCount: Int) -> Int { 2 + 8 + 24 + 24 + 1 + 8 * topicCount }
  }

  struct Challenge: Equatable {
    /// The `source` of the hello that this answers.
    var destination: ConnectionID
    var responder: Incarnation
    var cookie: Cookie
  }

  struct Open: Equatable {
    var source: ConnectionID
    var dialler: Incarnation
    var responder: Incarnation
    var cookie: Cookie
    var topics: [UInt64]
  }

  struct Accept: Equatable {
    var destination: ConnectionID
    /// The responder's name for the connection.
    var source: ConnectionID
    var responder: Incarnation
  }

  struct Probe: Equatable {
    var sender: Incarnation
    var nonce: UInt64
    /// Proves that the sender knows both connection identifiers without telling them.
    var tag: UInt64
  }

  struct Versions: Equatable {
    /// The `source` of the call that this answers.
    var destination: ConnectionID
    var versions: [UInt8]

    /// The size of the packet in bytes.
    var size: Int { 2 + 8 + versions.count }
  }

  struct Reset: Equatable {
    var sender: Incarnation
    /// The identifier that the data packet bore which this answers.
    var destination: ConnectionID

    /// The size of the packet in bytes.
    static let size = 2 + 24 + 8
  }

  /// The version of the protocol, the second byte of each handshake packet.
  static let version: UInt8 = 2
  /// The most topics a packet names.
  static let maximumTopicCount = 8
  /// The most versions a packet names.
  static let maximumVersionCount = 16
  /// The four uppermost bits of the first byte.
  static let mask: UInt8 = 0xF0
  static let mark: UInt8 = 0xC0
}

extension HandshakePacket {
  /// The type in the lowest four bits of the first byte.
  private enum Kind: UInt8 {
    case hello = 0
    case challenge = 1
    case open = 2
    case accept = 3
    case probe = 4
    case probeReply = 5
    case versions = 6
    case reset = 7
  }

  /// Reads a packet. `nil` where it is malformed, of another version, or has bytes left over.
  init?(parsing datagram: Span<UInt8>) {
    var offset = 0
    guard let first = datagram.uint8(at: &offset), first & Self.mask == Self.mark,
      let kind = Kind(rawValue: first & ~Self.mask),
      let second = datagram.uint8(at: &offset), kind == .versions || second == Self.version,
      let packet = Self.body(of: kind, second, datagram, at: &offset), offset == datagram.count
    else { return nil }
    self = packet
  }

  private static func body(
    of kind: Kind, _ second: UInt8, _ datagram: Span<UInt8>, at offset: inout Int
  ) -> HandshakePacket? {
    switch kind {
    case .hello:
      guard let source = datagram.connectionID(at: &offset),
        let dialler = datagram.incarnation(at: &offset),
        let expected = datagram.incarnation(at: &offset),
        let topics = datagram.topics(at: &offset)
      else { return nil }
      return .hello(
        Hello(
          source: source, dialler: dialler, expected: expected == .nobody ? nil : expected,
          topics: topics))
    case .challenge:
      guard let destination = datagram.connectionID(at: &offset),
        let responder = datagram.incarnation(at: &offset),
        let cookie = datagram.cookie(at: &offset)
      else { return nil }
      return .challenge(Challenge(destination: destination, responder: responder, cookie: cookie))
    case .open:
      guard let source = datagram.connectionID(at: &offset),
        let dialler = datagram.incarnation(at: &offset),
        let responder = datagram.incarnation(at: &offset),
        let cookie = datagram.cookie(at: &offset), let topics = datagram.topics(at: &offset)
      else { return nil }
      return .open(
        Open(
          source: source, dialler: dialler, responder: responder, cookie: cookie, topics: topics))
    case .accept:
      guard let destination = datagram.connectionID(at: &offset),
        let source = datagram.connectionID(at: &offset),
        let responder = datagram.incarnation(at: &offset)
      else { return nil }
      return .accept(Accept(destination: destination, source: source, responder: responder))
    case .probe, .probeReply:
      guard let sender = datagram.incarnation(at: &offset),
        let nonce = datagram.uint64(at: &offset), let tag = datagram.uint64(at: &offset)
      else { return nil }
      let probe = Probe(sender: sender, nonce: nonce, tag: tag)
      return kind == .probe ? .probe(probe) : .probeReply(probe)
    case .versions:
      guard let destination = datagram.connectionID(at: &offset),
        (1...Self.maximumVersionCount).contains(Int(second)),
        let range = datagram.bytes(Int(second), at: &offset)
      else { return nil }
      return .versions(Versions(destination: destination, versions: datagram.copy(range)))
    case .reset:
      guard let sender = datagram.incarnation(at: &offset),
        let destination = datagram.connectionID(at: &offset)
      else { return nil }
      return .reset(Reset(sender: sender, destination: destination))
    }
  }

  /// The packet as a datagram.
  func encoded() -> [UInt8] {
    [UInt8](capacity: 192) { (output: inout OutputSpan<UInt8>) in
      switch self {
      case .hello(let hello):
        Self.begin(.hello, &output)
        output.append(bigEndian: hello.source.rawValue)
        output.append(hello.dialler)
        output.append(hello.expected ?? .nobody)
        output.append(topics: hello.topics)
      case .challenge(let challenge):
        Self.begin(.challenge, &output)
        output.append(bigEndian: challenge.destination.rawValue)
        output.append(challenge.responder)
        output.append(challenge.cookie)
      case .open(let open):
        Self.begin(.open, &output)
        output.append(bigEndian: open.source.rawValue)
        output.append(open.dialler)
        output.append(open.responder)
        output.append(open.cookie)
        output.append(topics: open.topics)
      case .accept(let accept):
        Self.begin(.accept, &output)
        output.append(bigEndian: accept.destination.rawValue)
        output.append(bigEndian: accept.source.rawValue)
        output.append(accept.responder)
      case .probe(let probe), .probeReply(let probe):
        if case .probe = self {
          Self.begin(.probe, &output)
        } else {
          Self.begin(.probeReply, &output)
        }
        output.append(probe.sender)
        output.append(bigEndian: probe.nonce)
        output.append(bigEndian: probe.tag)
      case .versions(let versions):
        output.append(Self.versionsKind)
        output.append(UInt8(versions.versions.count))
        output.append(bigEndian: versions.destination.rawValue)
        output.append(contentsOf: versions.versions)
      case .reset(let reset):
        Self.begin(.reset, &output)
        output.append(reset.sender)
        output.append(bigEndian: reset.destination.rawValue)
      }
    }
  }

  /// The first byte of a `versions` packet, which is the same in all versions.
  static let versionsKind = mark | Kind.versions.rawValue

  /// Whether the first byte is that of a packet which may be answered with the versions.
  static func isCall(_ first: UInt8) -> Bool {
    first == mark | Kind.hello.rawValue || first == mark | Kind.open.rawValue
  }

  private static func begin(_ kind: Kind, _ output: inout OutputSpan<UInt8>) {
    output.append(mark | kind.rawValue)
    output.append(version)
  }
}

extension Incarnation {
  /// All zeros: where a packet may name somebody and does not.
  static let nobody = Incarnation(identity: Identity(high: 0, low: 0), epoch: 0)
}

extension Span where Element == UInt8 {
  fileprivate func connectionID(at offset: inout Int) -> ConnectionID? {
    uint64(at: &offset).map(ConnectionID.init(rawValue:))
  }

  fileprivate func incarnation(at offset: inout Int) -> Incarnation? {
    guard let high = uint64(at: &offset), let low = uint64(at: &offset),
      let epoch = uint64(at: &offset)
    else { return nil }
    return Incarnation(identity: Identity(high: high, low: low), epoch: epoch)
  }

  fileprivate func cookie(at offset: inout Int) -> Cookie? {
    guard let issued = uint32(at: &offset), let tag = uint64(at: &offset) else { return nil }
    return Cookie(issuedAt: issued, tag: tag)
  }

  fileprivate func topics(at offset: inout Int) -> [UInt64]? {
    guard let count = uint8(at: &offset),
      (1...HandshakePacket.maximumTopicCount).contains(Int(count))
    else { return nil }
    var topics: [UInt64] = []
    for _ in 0..<count {
      guard let topic = uint64(at: &offset) else { return nil }
      topics.append(topic)
    }
    return topics
  }
}

extension OutputSpan where Element == UInt8 {
  fileprivate mutating func append(_ incarnation: Incarnation) {
    append(bigEndian: incarnation.identity.high)
    append(bigEndian: incarnation.identity.low)
    append(bigEndian: incarnation.epoch)
  }

  fileprivate mutating func append(_ cookie: Cookie) {
    append(bigEndian: cookie.issuedAt)
    append(bigEndian: cookie.tag)
  }

  fileprivate mutating func append(topics: [UInt64]) {
    append(UInt8(topics.count))
    for topic in topics { append(bigEndian: topic) }
  }
}
