import ChatTransport
import DatagramPeer
import Primitives
import Qlog

/// Two endpoints with a path of 10 ms each way between them, in virtual time.
struct TracedPair: ~Copyable {
  private(set) var caller: DatagramEndpoint
  private(set) var called: DatagramEndpoint
  private(set) var now = Instant.zero + .seconds(1)
  /// What is under way, in order of arrival.
  private var flight: [(at: Instant, toCalled: Bool, datagram: [UInt8])] = []
  /// Which datagrams of the caller are lost, counted from 0.
  var lost: Set<Int> = []
  private var sentByCaller = 0

  static let start = Instant.zero + .seconds(1)
  private static let address = SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 28_421)
  private static let otherAddress = SocketAddress(ip: IPAddress(192, 0, 2, 9), port: 40_000)

  init(isTracing: Bool = true, limit: Int = 65_536) {
    var configuration = DatagramConfiguration()
    configuration.isTracing = isTracing
    configuration.traceLimit = limit
    caller = DatagramEndpoint(
      configuration: configuration,
      local: Incarnation(identity: Identity(high: 1, low: 1), epoch: 1), secret: Secret(1, 2))
    called = DatagramEndpoint(
      configuration: configuration,
      local: Incarnation(identity: Identity(high: 2, low: 2), epoch: 1), secret: Secret(3, 4))
    caller.connect(to: Path(remote: Self.address), at: now)
  }

  mutating func say(_ text: String, _ delivery: Delivery = .ordered) {
    _ = try? caller.send(
      Array(text.utf8).span, to: .everyone, SendOptions(delivery: delivery), at: now)
  }

  mutating func close() { caller.close(at: now) }

  /// A datagram that nobody sent.
  mutating func forge(_ datagram: [UInt8]) {
    called.receive(datagram.span, arrival: Arrival(path: Path(remote: Self.address)), at: now)
  }

  mutating func run(for duration: Interval) {
    let end = now + duration
    while true {
      pull()
      while caller.nextEvent() != nil {}
      while called.nextEvent() != nil {}
      var next = Instant.earlier(caller.deadline, called.deadline)
      next = Instant.earlier(next, flight.first?.at)
      guard let next, next <= end else { break }
      now = max(now, next)
      while let first = flight.first, first.at <= now {
        flight.removeFirst()
        deliver(first.datagram, toCalled: first.toCalled)
      }
      caller.advance(to: now)
      called.advance(to: now)
    }
    now = end
  }

  private mutating func deliver(_ datagram: [UInt8], toCalled: Bool) {
    if toCalled {
      called.receive(
        datagram.span, arrival: Arrival(path: Path(remote: Self.otherAddress)), at: now)
    } else {
      caller.receive(datagram.span, arrival: Arrival(path: Path(remote: Self.address)), at: now)
    }
  }

  private mutating func pull() {
    while let datagrams = Self.next(of: &caller, at: now) {
      for datagram in datagrams {
        sentByCaller += 1
        guard !lost.contains(sentByCaller - 1) else { continue }
        flight.append((now + .milliseconds(10), true, datagram))
      }
    }
    while let datagrams = Self.next(of: &called, at: now) {
      for datagram in datagrams { flight.append((now + .milliseconds(10), false, datagram)) }
    }
  }

  private static func next(of endpoint: inout DatagramEndpoint, at now: Instant) -> [[UInt8]]? {
    var buffer: [UInt8] = []
    var transmit: Transmit?
    buffer.append(addingCapacity: 65_536) { (output: inout OutputSpan<UInt8>) in
      transmit = endpoint.nextTransmit(into: &output, at: now)
    }
    guard let transmit else { return nil }
    let size = max(1, transmit.segmentSize ?? buffer.count)
    return stride(from: 0, to: buffer.count, by: size).map { start in
      Array(buffer[start..<min(start + size, buffer.count)])
    }
  }

  mutating func callerEvents() -> [TraceEvent] {
    var events: [TraceEvent] = []
    while let event = caller.nextTraceEvent() { events.append(event) }
    return events
  }

  mutating func calledEvents() -> [TraceEvent] {
    var events: [TraceEvent] = []
    while let event = called.nextTraceEvent() { events.append(event) }
    return events
  }
}

extension TraceEvent.Fact {
  var sentPacket: TracePacket? { if case .sent(let packet) = self { packet } else { nil } }
  var receivedPacket: TracePacket? { if case .received(let packet) = self { packet } else { nil } }
}

/// The qlog text of some events.
func qlog(_ events: [TraceEvent], end: Instant) -> String {
  var writer = QlogWriter(
    title: "a \"test\"", referenceTime: 1_700_000_000_000, start: TracedPair.start)
  for event in events { writer.write(event) }
  writer.end(at: end)
  return String(decoding: writer.bytes, as: UTF8.self)
}
