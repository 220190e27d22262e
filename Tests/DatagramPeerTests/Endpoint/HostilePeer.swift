import ChatTransport
import Primitives

@testable import DatagramPeer

/// An endpoint that is connected with somebody who writes his packets by hand.
struct HostilePeer: ~Copyable {
  var driver: EndpointDriver
  private(set) var path: Path
  /// What the endpoint calls the connection.
  private(set) var connectionID = ConnectionID(rawValue: 0)
  private var nextNumber: UInt64 = 0

  /// Opens a connection, as anybody may.
  init(_ number: UInt64 = 3, _ configuration: DatagramConfiguration = .init()) {
    driver = EndpointDriver(5, configuration)
    path = EndpointDriver.path(UInt32(number))
    connectionID = Self.open(number, on: path, to: &driver)
    send([Frame.Kind.ping])
    precondition(driver.endpoint.peerCount == 1, "he is connected")
    _ = pass(.milliseconds(50))
  }

  /// Lets somebody open a connection with an endpoint. Returns what it calls the connection.
  private static func open(
    _ number: UInt64, on path: Path, to driver: inout EndpointDriver
  ) -> ConnectionID {
    let (source, dialler) = (ConnectionID(rawValue: number), EndpointDriver.incarnation(number))
    driver.receive(
      .hello(.init(source: source, dialler: dialler, expected: nil, topics: [0])), on: path)
    for (_, bytes) in driver.transmit() {
      guard case .challenge(let challenge) = HandshakePacket(parsing: bytes.span) else { continue }
      driver.receive(
        .open(
          .init(
            source: source, dialler: dialler, responder: challenge.responder,
            cookie: challenge.cookie, topics: [0])), on: path)
    }
    for (_, bytes) in driver.transmit() {
      if case .accept(let accept) = HandshakePacket(parsing: bytes.span) { return accept.source }
    }
    preconditionFailure("whoever receives at his address is taken in")
  }

  /// Sends a packet with these frames, from elsewhere where a path is given. Returns its size.
  @discardableResult
  mutating func send(_ frames: [UInt8], on other: Path? = nil) -> Int {
    let header = PacketHeader(
      destination: connectionID, number: nextNumber, largestAcknowledged: nil)
    nextNumber += 1
    let packet = WireBytes.written { header.emit(into: &$0) } + frames
    driver.receive(packet, on: other ?? path)
    return packet.count
  }

  /// Never sends the packet whose turn it is.
  mutating func skipNumber() { nextNumber += 1 }

  /// Lets time pass. Returns what the endpoint sent meanwhile.
  mutating func pass(_ interval: Interval) -> [[UInt8]] {
    var sent = driver.transmit().map(\.bytes)
    let end = driver.now + interval
    while let deadline = driver.endpoint.deadline, deadline <= end {
      driver.now = max(driver.now, deadline)
      driver.endpoint.advance(to: driver.now)
      sent += driver.transmit().map(\.bytes)
    }
    driver.now = end
    return sent
  }

  /// The largest packet number that the endpoint has acknowledged in these datagrams.
  static func acknowledged(in datagrams: [[UInt8]]) -> UInt64? {
    var largest: UInt64?
    for datagram in datagrams {
      var offset = 0
      let span = datagram.span
      guard PacketHeader(parsing: span, at: &offset) != nil else { continue }
      while offset < span.count, let frame = Frame(parsing: span, at: &offset) {
        if case .acknowledgement(let acknowledgement) = frame {
          largest = max(largest ?? 0, acknowledgement.largest)
        }
      }
    }
    return largest
  }

  // MARK: What the endpoint holds because of him

  /// Bytes of memory for unfinished messages, of all kinds.
  var heldBytes: Int {
    driver.endpoint.connections.contains(slot)
      ? driver.endpoint.connections[slot].receiving.bufferedBytes
        + driver.endpoint.connections[slot].incoming.heldBytes : 0
  }

  /// Bytes that wait to be sent to him, or for his acknowledgement.
  var queuedBytes: Int {
    driver.endpoint.connections.contains(slot)
      ? driver.endpoint.connections[slot].heldBytes : 0
  }

  var isConnected: Bool { driver.endpoint.peerCount == 1 }

  func drops(_ reason: DropCounters.Reason) -> UInt64 { driver.endpoint.drops[reason] }

  private var slot: Int { 0 }

  /// Why he is no longer a peer, as the user is told, where he is not.
  mutating func takeLeaving() -> LeaveReason? {
    driver.takeEvents().compactMap { event -> LeaveReason? in
      if case .peerLeft(_, let reason) = event { reason } else { nil }
    }.first
  }
}

// MARK: - Frames

extension HostilePeer {
  static func chunk(
    _ bytes: [UInt8], at offset: UInt64, startsMessage: Bool = true, isOrdered: Bool = true,
    channel: UInt8 = 0
  ) -> [UInt8] {
    WireBytes.written {
      StreamChunkFrame.emitHeader(
        isOrdered: isOrdered, startsMessage: startsMessage, channel: channel, offset: offset,
        length: bytes.count, into: &$0)
    } + bytes
  }

  static func skip(
    _ range: Range<UInt64>, first: UInt64, count: UInt64, isOrdered: Bool = true
  ) -> [UInt8] {
    number([isOrdered ? 0x29 : 0x28, 0], range.lowerBound, range.upperBound - range.lowerBound)
      + number([], first, count)
  }

  static func fragment(
    of sequence: UInt64, total: UInt64, at offset: UInt64, isSequenced: Bool = false
  ) -> [UInt8] {
    number([isSequenced ? 0x15 : 0x14, 0], sequence, total, offset, 1) + [7]
  }

  static func window(_ limit: UInt64) -> [UInt8] { number([0x2A], limit) }

  static func streamWindow(_ limit: UInt64) -> [UInt8] { number([0x2D, 0], limit) }

  private static func number(_ start: [UInt8], _ numbers: UInt64...) -> [UInt8] {
    start + numbers.flatMap { value in [UInt8](capacity: 8) { $0.append(variableLength: value) } }
  }
}
