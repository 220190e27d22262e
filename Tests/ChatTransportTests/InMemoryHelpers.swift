import ChatTransport
import Primitives

extension InMemoryTransport {
  mutating func allEvents() -> [TransportEvent] {
    var events: [TransportEvent] = []
    while let event = nextEvent() { events.append(event) }
    return events
  }

  @discardableResult
  mutating func send(
    _ text: String, to destination: Destination = .everyone, channel: UInt8 = 0,
    _ delivery: Delivery = .ordered, maximumAge: Interval? = nil, at now: Instant = .zero
  ) throws(SendError) -> SendReceipt {
    try send(
      Array(text.utf8).span, to: destination,
      SendOptions(channel: channel, delivery: delivery, maximumAge: maximumAge), at: now)
  }
}

extension [TransportEvent] {
  /// The texts of the messages among the events.
  var texts: [String] {
    compactMap {
      guard case .message(let message) = $0 else { return nil }
      return String(decoding: message.payload, as: UTF8.self)
    }
  }
}

func incarnation(_ number: UInt64, epoch: UInt64 = 1) -> Incarnation {
  Incarnation(identity: Identity(high: number, low: 0), epoch: epoch)
}

/// Two endpoints that know each other, with the events of that pulled.
struct Pair {
  let network = InMemoryNetwork()
  var a: InMemoryTransport
  var b: InMemoryTransport
  var bAtA: PeerID
  var aAtB: PeerID

  init(
    _ capabilities: TransportCapabilities = .everything,
    limits: InMemoryQueueLimits = InMemoryQueueLimits()
  ) {
    a = network.join(as: incarnation(1), capabilities: capabilities, limits: limits)
    b = network.join(as: incarnation(2), capabilities: capabilities, limits: limits)
    bAtA = network.peerID(of: b, at: a)!
    aAtB = network.peerID(of: a, at: b)!
    _ = a.allEvents()
    _ = b.allEvents()
  }
}
