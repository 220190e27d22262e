import ChatRoom
import ChatTransport
import Primitives

/// People with rooms over one network in memory, in virtual time.
struct Scene {
  let network = InMemoryNetwork()
  var rooms: [ChatRoom] = []
  var transports: [InMemoryTransport] = []
  var now = Instant.zero

  /// Adds somebody, who joins unless he has no name.
  @discardableResult
  mutating func add(
    _ name: String?, _ incarnation: Incarnation, _ configuration: ChatRoom.Configuration = .init(),
    over capabilities: TransportCapabilities = .everything,
    limits: InMemoryQueueLimits = InMemoryQueueLimits(), isConnected: Bool = true
  ) throws -> Int {
    transports.append(
      network.join(
        as: incarnation, capabilities: capabilities, limits: limits, isConnected: isConnected))
    rooms.append(ChatRoom(configuration: configuration, self: incarnation))
    let person = rooms.count - 1
    if let name { try rooms[person].join(as: name, over: &transports[person], at: now) }
    return person
  }

  @discardableResult
  mutating func say(_ text: String, _ person: Int) throws -> RecordID {
    try rooms[person].say(text, over: &transports[person], at: now)
  }

  mutating func leave(_ person: Int) {
    rooms[person].leave(over: &transports[person], at: now)
  }

  mutating func run(_ person: Int) {
    rooms[person].run(over: &transports[person], at: now)
  }

  /// Lets everybody read all that there is, with the answers to it.
  mutating func settle() {
    for _ in 0..<4 {
      for person in rooms.indices { run(person) }
    }
  }

  mutating func wait(_ interval: Interval) {
    now = now + interval
    for person in transports.indices { transports[person].advance(to: now) }
    settle()
  }

  mutating func events(_ person: Int) -> [RoomEvent] {
    var events: [RoomEvent] = []
    while let event = rooms[person].nextEvent() { events.append(event) }
    return events
  }

  /// Everything said and told until now is read, and forgotten.
  mutating func forgetEvents() {
    settle()
    for person in rooms.indices { _ = events(person) }
  }

  /// Sends bytes from one person's transport on the room's channel, as a hostile program could.
  mutating func forge(
    _ payload: [UInt8], from person: Int, _ delivery: Delivery = .reliable, channel: UInt8 = 1
  ) throws {
    _ = try transports[person].send(
      payload.span, to: .everyone, SendOptions(channel: channel, delivery: delivery), at: now)
  }
}

func incarnation(_ number: UInt64, epoch: UInt64 = 1) -> Incarnation {
  Incarnation(identity: Identity(high: number << 48, low: number), epoch: epoch)
}

extension [RoomEvent] {
  /// Each event as a short text, receipts left out.
  var story: [String] {
    compactMap { event in
      switch event {
      case .joined(let member): "+\(member.displayName)"
      case .left(let member, let reason): "-\(member.displayName) \(reason)"
      case .message(let message): "\(message.from.displayName): \(message.text)"
      case .plain(let line): "plain \(line.name ?? "?"): \(line.text)"
      case .gap(let member, let missing):
        "\(member.displayName) lost \(missing.lowerBound)..<\(missing.upperBound)"
      case .delivered, .undelivered: nil
      case .closed: "closed"
      }
    }
  }

  var texts: [String] {
    compactMap {
      guard case .message(let message) = $0 else { return nil }
      return message.text
    }
  }

  /// How many lines are told as missing.
  var missingCount: Int {
    reduce(0) {
      guard case .gap(_, let missing) = $1 else { return $0 }
      return $0 + missing.count
    }
  }
}

/// Random numbers for tests: the same seed gives the same test.
struct Dice {
  private var generator: SplitMix64

  init(_ seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  mutating func number(below limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }
  mutating func word() -> UInt64 { generator.next() }
  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    elements.shuffled(using: &generator)
  }
}
