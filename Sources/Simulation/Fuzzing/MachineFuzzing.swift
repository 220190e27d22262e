import ChatTransport
import DatagramPeer
import Primitives

/// Two endpoints with a live connection, and bytes that say what is done to one of them: which
/// datagrams it gets, what its user calls, and how time passes.
///
/// The bytes may name the connection's identifier, so they can end the connection: nothing has to
/// come true, and nothing may trap, go on without end, or grow without bound.
package struct MachineFuzzing: ~Copyable {
  private var target: DatagramEndpoint
  private var peer: DatagramEndpoint
  private var now = Instant.zero
  /// Datagrams from the peer that have not been delivered yet.
  private var underWay: [[UInt8]] = []
  /// What was delivered, to be played again.
  private var delivered: [[UInt8]] = []
  private var known: PeerID?
  private var nextNumber: UInt64 = 16

  private static let targetAddress = SocketAddress(ip: IPAddress(10, 0, 0, 1), port: 1)
  private static let peerAddress = SocketAddress(ip: IPAddress(10, 0, 0, 2), port: 2)
  private static let maximumPulls = 50_000

  /// Runs all of `input`.
  package static func run(_ input: Span<UInt8>) {
    var fuzzing = MachineFuzzing(seed: 1)
    var offset = 0
    var steps = 0
    // Each step takes at least a byte; a bound on their number keeps the runs short.
    while steps < 256, let operation = input.uint8(at: &offset) {
      fuzzing.step(operation, input, &offset)
      steps += 1
    }
    fuzzing.finish()
  }

  private init(seed: UInt64) {
    let make = { (number: UInt64) in
      DatagramEndpoint(
        configuration: DatagramConfiguration(),
        local: Incarnation(identity: Identity(high: 0, low: number), epoch: 1),
        secret: Secret(seed: seed &+ number))
    }
    target = make(1)
    peer = make(2)
    peer.connect(to: Path(remote: Self.targetAddress), at: now)
    for _ in 0..<20 { exchange(.milliseconds(5)) }
    precondition(known != nil, "two endpoints on a perfect network connect")
  }

  // MARK: Steps

  private mutating func step(_ operation: UInt8, _ input: Span<UInt8>, _ offset: inout Int) {
    switch operation % 16 {
    case 0: receive(bytes(input, &offset), from: Self.peerAddress)
    case 1: receive(bytes(input, &offset), from: stranger(operation))
    case 2, 3, 4, 5: receive(packet(operation, bytes(input, &offset)), from: Self.peerAddress)
    case 6:
      if !underWay.isEmpty { receive(underWay.removeFirst(), from: Self.peerAddress) }
    case 7:
      guard !delivered.isEmpty, let place = input.uint16(at: &offset) else { return }
      receive(delivered[Int(place) % delivered.count], from: Self.peerAddress)
    case 8: mutate(input, &offset)
    case 9, 10:
      guard let time = input.uint16(at: &offset) else { return }
      // Up to a minute, and mostly much less.
      exchange(.microseconds(Int64(time) * (time & 1 == 0 ? 10 : 1_000)))
    case 11: now = now + .milliseconds(Int64(input.uint8(at: &offset) ?? 0))
    case 12, 13: send(input, &offset)
    case 14: pull()
    default: call(operation, input, &offset)
    }
  }

  private mutating func call(_ operation: UInt8, _ input: Span<UInt8>, _ offset: inout Int) {
    let path = Path(remote: stranger(operation))
    switch operation / 16 {
    case 0: target.close(at: now)
    case 1: if let known { target.disconnect(known, at: now) }
    case 2: target.connect(to: path, at: now)
    case 3: target.localAddressesChanged([])
    default:
      target.noteCandidate(
        Incarnation(
          identity: Identity(high: 0, low: UInt64(operation & 0x30) >> 4), epoch: 1),
        on: path, beaconSize: 160, deniesConnection: operation & 0x40 != 0, at: now)
    }
  }

  private mutating func send(_ input: Span<UInt8>, _ offset: inout Int) {
    guard let known, let shape = input.uint16(at: &offset) else { return }
    let limit = target.capabilities.maximumMessageSize
    let payload = [UInt8](repeating: 7, count: min(Int(shape >> 2) * 3, limit))
    let options = SendOptions(
      channel: UInt8(shape >> 8 & 3), delivery: Delivery.allCases[Int(shape & 3)])
    _ = try? target.send(
      payload.span, to: shape & 4 == 0 ? .everyone : .peer(known), options, at: now)
    _ = try? peer.send(payload.span, to: .everyone, options, at: now)
  }

  /// Frames behind the header that the peer would write: the connection's identifier is taken from
  /// what it sent.
  private mutating func packet(_ operation: UInt8, _ frames: [UInt8]) -> [UInt8] {
    guard
      let genuine = (underWay + delivered).last(where: { $0.count > 12 && $0[0] & 0xC0 == 0x80 })
    else { return frames }
    nextNumber += UInt64(operation >> 4)
    let number = [16, 8, 0].map { UInt8(truncatingIfNeeded: nextNumber >> UInt64($0)) }
    return [0x82] + genuine[1..<9] + number + frames
  }

  private mutating func mutate(_ input: Span<UInt8>, _ offset: inout Int) {
    guard !underWay.isEmpty, let place = input.uint16(at: &offset),
      let change = input.uint8(at: &offset)
    else { return }
    var datagram = underWay.removeFirst()
    guard !datagram.isEmpty else { return }
    if place & 0x8000 != 0 { datagram.removeLast(Int(change) % datagram.count) }
    if !datagram.isEmpty { datagram[Int(place & 0x7FFF) % datagram.count] ^= change }
    receive(datagram, from: Self.peerAddress)
  }

  // MARK: Time and datagrams

  private mutating func receive(_ datagram: [UInt8], from remote: SocketAddress) {
    target.receive(datagram.span, arrival: Arrival(path: Path(remote: remote)), at: now)
  }

  /// Lets time pass and both talk.
  private mutating func exchange(_ interval: Interval) {
    now = now + interval
    for datagram in underWay { receive(datagram, from: Self.peerAddress) }
    if delivered.count < 256 { delivered += underWay.suffix(16) }
    underWay = []
    target.advance(to: now)
    peer.advance(to: now)
    pull()
    // What came in while it was pulled from may have made a timer due at this very moment.
    target.advance(to: now)
    pull()
    if let deadline = target.deadline { precondition(deadline > now, "a timer stays due") }
    while let event = target.nextEvent() {
      if case .peerJoined(let peer, _) = event { known = peer }
    }
    while peer.nextEvent() != nil {}
  }

  /// Takes all that both want to send; what the target sends to the peer arrives at once.
  private mutating func pull() {
    for datagram in Self.pull(&target, at: now) {
      peer.receive(
        datagram.span, arrival: Arrival(path: Path(remote: Self.targetAddress)), at: now)
    }
    underWay += Self.pull(&peer, at: now)
    // What does not fit is lost.
    if underWay.count > 1_024 { underWay.removeFirst(underWay.count - 1_024) }
  }

  private static func pull(_ endpoint: inout DatagramEndpoint, at now: Instant) -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    var count = 0
    while true {
      var transmit: Transmit?
      let bytes = [UInt8](capacity: 65_507) {
        transmit = endpoint.nextTransmit(into: &$0, at: now)
      }
      guard let transmit else { return datagrams }
      count += 1
      precondition(count < maximumPulls, "there is no end to what is sent")
      let size = transmit.segmentSize ?? max(1, bytes.count)
      for start in stride(from: 0, to: bytes.count, by: size) {
        datagrams.append(Array(bytes[start..<min(start + size, bytes.count)]))
      }
    }
  }

  private mutating func finish() {
    for _ in 0..<4 { exchange(.seconds(1)) }
    target.close(at: now)
    for _ in 0..<8 { exchange(.seconds(1)) }
    precondition(target.peerCount == 0, "after the end there are no peers")
  }

  /// The next bytes of the input, with their number in front.
  private func bytes(_ input: Span<UInt8>, _ offset: inout Int) -> [UInt8] {
    let count = min(Int(input.uint8(at: &offset) ?? 0), input.count - offset)
    defer { offset += count }
    return input.copy(offset..<offset + count)
  }

  private func stranger(_ number: UInt8) -> SocketAddress {
    SocketAddress(ip: IPAddress(10, 0, 255, number), port: 9)
  }
}
