import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// The stored datagrams are what the code writes and reads, so that the code and the document,
/// whose tables decode the same datagrams, cannot drift apart.
struct StoredDatagramTests {
  private static let dialler = Incarnation(
    identity: Identity(high: 0xD1D1_D2D2_D3D3_D4D4, low: 0xD5D5_D6D6_D7D7_D8D8),
    epoch: 1_700_000_000_001)
  private static let responder = Incarnation(
    identity: Identity(high: 0xA1A1_A2A2_A3A3_A4A4, low: 0xA5A5_A6A6_A7A7_A8A8),
    epoch: 1_700_000_000_002)
  private static let diallerID = ConnectionID(rawValue: 0x0102_0304_0506_0708)
  private static let responderID = ConnectionID(rawValue: 0x1112_1314_1516_1718)
  private static let cookie = Cookie(issuedAt: 77, tag: 0xC1C2_C3C4_C5C6_C7C8)
  private static let path = Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 1), port: 28_421))

  // MARK: Handshake packets

  private static let handshakes: [(name: String, packet: HandshakePacket)] = [
    ("hello to an address", .hello(hello(expected: nil, topics: [0x1111]))),
    ("hello to a candidate", .hello(hello(expected: responder, topics: [0x1111, 0x2222]))),
    (
      "challenge",
      .challenge(.init(destination: diallerID, responder: responder, cookie: cookie))
    ),
    (
      "open",
      .open(
        .init(
          source: diallerID, dialler: dialler, responder: responder, cookie: cookie,
          topics: [0x1111, 0x2222]))
    ),
    (
      "accept",
      .accept(.init(destination: diallerID, source: responderID, responder: responder))
    ),
    ("probe", .probe(proof(of: dialler, isReply: false))),
    ("probe reply", .probeReply(proof(of: responder, isReply: true))),
    ("versions", .versions(.init(destination: diallerID, versions: [2, 7]))),
    ("reset", .reset(.init(sender: responder, destination: diallerID))),
  ]

  private static func hello(expected: Incarnation?, topics: [UInt64]) -> HandshakePacket.Hello {
    .init(source: diallerID, dialler: dialler, expected: expected, topics: topics)
  }

  /// With the tag that the two ends of the connection between these two compute.
  private static func proof(of sender: Incarnation, isReply: Bool) -> HandshakePacket.Probe {
    let nonce: UInt64 = 0x0F0E_0D0C_0B0A_0908
    let key = connection().identifiers.pathKey
    let tag = PathProof.tag(key: key, isReply: isReply, sender: sender, nonce: nonce)
    return .init(sender: sender, nonce: nonce, tag: tag)
  }

  @Test("Stored handshake packets are what is written and read", arguments: handshakes)
  func handshake(name: String, packet: HandshakePacket) throws {
    let stored = try #require(StoredDatagrams.load()[name], "\(name) is not stored")
    let written = packet.encoded()
    #expect(stored == written, "\(WireBytes.hex(written))")
    #expect(HandshakePacket(parsing: stored.span) == packet)
  }

  // MARK: Data packets

  /// The dialler's end.
  private static func connection() -> Connection {
    Connection(
      Connection.Identifiers(
        peer: PeerID(rawValue: 1), remote: responder, localID: diallerID, remoteID: responderID,
        isDialler: true),
      path: path, phase: .established, phaseDeadline: .zero, handshakeRoundTrip: nil,
      settings: Connection.Settings(DatagramConfiguration()), seed: 1, now: .zero)
  }

  /// What a connection writes after `body` was done to it, as its packet of this number.
  private static func transmitted(
    number: UInt64 = 0, at now: Instant = .zero, _ body: (inout Connection, inout Workspace) -> Void
  ) -> [UInt8] {
    var connection = connection()
    var workspace = Workspace()
    while connection.recovery.nextPacketNumber < number {
      _ = connection.recovery.takePacketNumber()
    }
    body(&connection, &workspace)
    return WireBytes.written { _ = connection.transmit(into: &$0, at: now, &workspace) }
  }

  /// A packet with these bytes as its frames, numbered 0x123456 where 0x123000 is acknowledged.
  private static func packet(
    number: UInt64 = 0x12_3456, _ write: (inout OutputSpan<UInt8>) -> Void
  ) -> [UInt8] {
    WireBytes.written { output in
      PacketHeader(
        destination: responderID, number: number,
        largestAcknowledged: number == 0x12_3456 ? 0x12_3000 : nil
      ).emit(into: &output)
      write(&output)
    }
  }

  private static func unreliable(
    isSequenced: Bool, channel: UInt8, sequence: UInt64, _ text: String
  ) -> [UInt8] {
    packet {
      UnreliableFrame.emitWhole(
        key: UnreliableKey(channel: channel, isSequenced: isSequenced), sequence: sequence,
        payload: Array(text.utf8).span, into: &$0)
    }
  }

  /// A chunk with messages of these texts; its length is left away at the end of a full packet.
  private static func chunk(
    isOrdered: Bool, channel: UInt8, offset: UInt64, hasLength: Bool, _ texts: String...
  ) -> [UInt8] {
    let bytes = texts.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    return packet {
      StreamChunkFrame.emitHeader(
        isOrdered: isOrdered, startsMessage: true, channel: channel, offset: offset,
        length: hasLength ? bytes.count : nil, into: &$0)
      $0.append(contentsOf: bytes.span)
    }
  }

  private static func accept(_ text: String, _ delivery: Delivery, in connection: inout Connection)
  {
    let isAccepted = connection.accept(
      Array(text.utf8).span, id: MessageID(rawValue: 1),
      SendOptions(channel: 1, delivery: delivery), at: .zero)
    precondition(isAccepted, "an empty queue has room")
  }

  private static let packets: [(name: String, bytes: [UInt8])] = [
    ("ping", transmitted { connection, _ in connection.owesPing = true }),
    (
      "ping with a long packet number",
      packet(number: 1 << 23) { $0.append(Frame.Kind.ping) }
    ),
    (
      "unreliable message",
      unreliable(isSequenced: false, channel: 0, sequence: 63, "lost or not")
    ),
    (
      "sequenced message",
      unreliable(isSequenced: true, channel: 7, sequence: 64, "the newest counts")
    ),
    ("empty message", unreliable(isSequenced: false, channel: 0, sequence: 0, "")),
    (
      "reliable messages",
      chunk(
        isOrdered: false, channel: 1, offset: 16_384, hasLength: true, "once,", "in any order")
    ),
    (
      "ordered messages to the end of the packet",
      chunk(
        isOrdered: true, channel: 255, offset: 1 << 30, hasLength: false, "once, and", "in order")
    ),
    (
      "several messages",
      transmitted(number: 2) { connection, _ in
        accept("one", .ordered, in: &connection)
        accept("two", .unreliable, in: &connection)
        accept("three", .ordered, in: &connection)
      }
    ),
    (
      "fragment of a message",
      transmitted(number: 2) { connection, _ in
        accept(String(repeating: "fragment", count: 200), .sequenced, in: &connection)
      }
    ),
    (
      "skip of messages that were given up",
      packet { output in
        SkipFrame(isOrdered: true, channel: 3, range: 40..<140, firstSequence: 7, count: 2)
          .emit(into: &output)
      }
    ),
    (
      "windows",
      packet { output in
        WindowFrame(limit: 8 << 20).emit(into: &output)
        StreamWindowFrame(isOrdered: true, channel: 3, limit: 1 << 20).emit(into: &output)
      }
    ),
    (
      "acknowledgement of several ranges, with a message",
      transmitted(number: 3, at: .zero + .microseconds(1_500)) { connection, _ in
        for number: UInt64 in [0, 1, 5, 90, 91, 92, 100] {
          connection.received.insert(number, isAckEliciting: true, at: .zero)
        }
        accept("and an answer", .reliable, in: &connection)
      }
    ),
    (
      "acknowledgement alone",
      transmitted { connection, _ in
        connection.received.insert(0, isAckEliciting: true, at: .zero)
      }
    ),
    (
      "close",
      transmitted(number: 9) { connection, workspace in
        connection.close(.goodbye, reason: .closedByUs, at: .zero, &workspace)
      }
    ),
    (
      "close by refusal",
      transmitted { connection, workspace in
        connection.close(.refused, reason: .refused, at: .zero, &workspace)
      }
    ),
    (
      "close for a violation",
      transmitted { connection, workspace in
        connection.close(.violation, reason: .brokeProtocol, at: .zero, &workspace)
      }
    ),
    (
      "padding",
      packet { output in
        output.append(Frame.Kind.padding)
        output.append(Frame.Kind.padding)
        output.append(Frame.Kind.ping)
      }
    ),
  ]

  @Test("Stored data packets are what is written", arguments: packets)
  func data(name: String, written: [UInt8]) throws {
    let stored = try #require(StoredDatagrams.load()[name], "\(name) is not stored")
    #expect(stored == written, "\(WireBytes.hex(written))")
  }

  @Test("Stored data packets are read", arguments: packets.map(\.name))
  func read(name: String) throws {
    let stored = try #require(StoredDatagrams.load()[name], "\(name) is not stored")
    var offset = 0
    let header = try #require(PacketHeader(parsing: stored.span, at: &offset))
    #expect(header.destination == Self.responderID)
    var frameCount = 0
    while offset < stored.count {
      guard Frame(parsing: stored.span, at: &offset) != nil else { break }
      frameCount += 1
    }
    #expect(offset == stored.count)
    #expect(frameCount > 0)
  }

  @Test("Each stored datagram of this module is covered here, or is malformed and refused")
  func complete() throws {
    let covered = Set(Self.handshakes.map(\.name) + Self.packets.map(\.name))
    var refusedCount = 0
    for (name, bytes) in try StoredDatagrams.load().sorted(by: { $0.key < $1.key }) {
      switch bytes.first ?? 0 {
      case 0x80...0xCF where name.hasPrefix("malformed: "):
        #expect(!isWellFormed(bytes), "\(name)")
        refusedCount += 1
      case 0x80...0xCF: #expect(covered.contains(name), "\(name)")
      default: #expect(!covered.contains(name), "\(name)")
      }
    }
    #expect(refusedCount == 9)
  }

  private func isWellFormed(_ datagram: [UInt8]) -> Bool {
    if datagram[0] & HandshakePacket.mask == HandshakePacket.mark {
      return HandshakePacket(parsing: datagram.span) != nil
    }
    var connection = Self.connection()
    var workspace = Workspace()
    var offset = 0
    guard let header = PacketHeader(parsing: datagram.span, at: &offset) else { return false }
    return connection.receive(
      datagram.span, header: header, framesAt: offset, on: Self.path, at: .zero, &workspace) == nil
  }
}
