import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct IncomingMessagesTests {
  private let peer = PeerID(rawValue: 1)

  private func incoming(bufferLimit: Int = 1 << 20) -> IncomingMessages {
    IncomingMessages(
      peer: peer, bufferLimit: bufferLimit, reorderingTolerance: .milliseconds(50))
  }

  /// What a message brings about; `nil` where its packet is refused.
  private func feed(
    _ incoming: inout IncomingMessages, _ delivery: Delivery, channel: UInt8 = 0,
    _ sequence: UInt64, _ payload: [UInt8]
  ) -> [ReceivedMessage]? {
    let (bytes, frame) = MessageBytes.packet(delivery, channel: channel, sequence, payload)
    guard incoming.accepts(frame) else { return nil }
    var events = Queue<TransportEvent>()
    let count = incoming.take(frame, in: bytes.span, at: .zero, events: &events)
    var messages: [ReceivedMessage] = []
    while let event = events.popFirst() {
      guard case .message(let message) = event else { continue }
      messages.append(message)
    }
    #expect(messages.count == count ?? 0)
    return messages
  }

  /// What a stream of 0, 1, 2, ... has to deliver after `arrivals`, the last of them just now.
  private func expected(_ delivery: Delivery, _ arrivals: [UInt64]) -> [UInt64] {
    guard let last = arrivals.last else { return [] }
    let before = Set(arrivals.dropLast())
    switch delivery {
    case .unreliable: return [last]
    case .sequenced: return before.allSatisfy { $0 < last } ? [last] : []
    case .reliable: return before.contains(last) ? [] : [last]
    case .ordered:
      func prefix(_ set: Set<UInt64>) -> UInt64 {
        var end: UInt64 = 0
        while set.contains(end) { end += 1 }
        return end
      }
      return Array(prefix(before)..<prefix(before.union([last])))
    }
  }

  @Test(
    "Reordered, doubled and, where that is allowed, lost: what must come comes, when it must",
    arguments: Delivery.allCases, UInt64(0)..<25)
  func agreesWithModel(delivery: Delivery, seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var incoming = incoming()
    var order = Array(UInt64(0)..<80)
    if delivery == .unreliable {
      // What must not arrive twice is kept apart by packet numbers; here each comes once.
      order.shuffle(using: &generator)
    } else {
      order += order.filter { _ in Bool.random(using: &generator) }
      order.shuffle(using: &generator)
    }
    if !delivery.isReliable { order = Array(order.dropLast(20)) }
    var arrivals: [UInt64] = []
    for sequence in order {
      arrivals.append(sequence)
      let told = feed(&incoming, delivery, channel: 9, sequence, [UInt8(sequence)])
      #expect(
        told?.map(\.sequence) == expected(delivery, arrivals),
        "seed \(seed): \(sequence) as number \(arrivals.count)")
      for message in told ?? [] {
        #expect(message.payload == [UInt8(message.sequence ?? 255)])
        #expect(message.peer == peer && message.channel == 9 && message.delivery == delivery)
      }
    }
  }

  @Test("Streams do not hold each other up")
  func streamsAreApart() {
    var incoming = incoming()
    #expect(feed(&incoming, .ordered, channel: 0, 1, [1])?.count == 0)
    #expect(feed(&incoming, .ordered, channel: 1, 0, [2])?.count == 1)
    #expect(feed(&incoming, .reliable, channel: 0, 1, [3])?.count == 1)
    #expect(feed(&incoming, .sequenced, channel: 0, 1, [4])?.count == 1)
    #expect(feed(&incoming, .ordered, channel: 0, 0, [5])?.map(\.payload) == [[5], [1]])
  }

  @Test("Held bytes are bounded over all streams, and freed by delivery")
  func bufferLimit() {
    // Room for 1,000 bytes of held messages beside that for a whole datagram.
    var incoming = incoming(bufferLimit: ProtocolLimits.datagramSize + 1_000)
    let payload = [UInt8](repeating: 1, count: 400)
    #expect(feed(&incoming, .ordered, channel: 0, 1, payload)?.isEmpty == true)
    #expect(feed(&incoming, .ordered, channel: 1, 1, payload)?.isEmpty == true)
    #expect(feed(&incoming, .ordered, channel: 2, 1, payload) == nil)
    // A message that came before takes no room, and what is not held is not refused.
    #expect(feed(&incoming, .ordered, channel: 1, 1, payload)?.isEmpty == true)
    #expect(feed(&incoming, .reliable, channel: 2, 1, payload)?.count == 1)
    #expect(feed(&incoming, .ordered, channel: 0, 0, payload)?.count == 2)
    #expect(feed(&incoming, .ordered, channel: 2, 1, payload)?.isEmpty == true)
  }

  @Test("A refused message leaves no trace")
  func refusal() {
    var incoming = incoming()
    #expect(feed(&incoming, .ordered, 1_024, [1]) == nil)
    #expect(feed(&incoming, .reliable, variableLengthMaximum, [1]) == nil)
    #expect(feed(&incoming, .ordered, 0, [2])?.map(\.sequence) == [0])
    #expect(feed(&incoming, .ordered, 1_024, [1])?.isEmpty == true)
  }

  @Test("An empty message is a message", arguments: Delivery.allCases)
  func empty(delivery: Delivery) {
    var incoming = incoming()
    #expect(feed(&incoming, delivery, 0, [])?.map(\.payload) == [[]])
    #expect(feed(&incoming, delivery, 1, [])?.map(\.sequence) == [1])
  }

  @Test("Gaps are told for the stream they are in, at the earliest deadline of all")
  func gaps() {
    var incoming = incoming()
    #expect(incoming.gapDeadline == nil)
    _ = feed(&incoming, .unreliable, channel: 3, 2, [1])
    _ = feed(&incoming, .sequenced, channel: 4, 1, [1])
    _ = feed(&incoming, .ordered, channel: 5, 1, [1])
    #expect(incoming.gapDeadline == .zero + .milliseconds(50))
    #expect(incoming.nextGap(at: .zero + .milliseconds(49)) == nil)
    let first = incoming.nextGap(at: .zero + .milliseconds(50))
    #expect(first?.0 == StreamKey(channel: 3, delivery: .unreliable))
    #expect(first?.1 == 0..<2)
    let second = incoming.nextGap(at: .zero, all: true)
    #expect(second?.0 == StreamKey(channel: 4, delivery: .sequenced))
    #expect(second?.1 == 0..<1)
    #expect(incoming.nextGap(at: .zero, all: true) == nil)
    #expect(incoming.gapDeadline == nil)
  }

  @Test("All that is missing is told, and nothing else", arguments: UInt64(0)..<30)
  func gapsAddUp(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for delivery in [Delivery.unreliable, .sequenced] {
      var incoming = incoming()
      let order = Array(UInt64(0)..<100).shuffled(using: &generator).prefix(60)
      var delivered: Set<UInt64> = []
      for sequence in order {
        for message in feed(&incoming, delivery, sequence, []) ?? [] {
          delivered.insert(message.sequence ?? .max)
        }
      }
      var told: [UInt64] = []
      while let (_, gap) = incoming.nextGap(at: .zero, all: true) { told += gap }
      let highest = order.max() ?? 0
      #expect(told == (0..<highest).filter { !delivered.contains($0) }, "seed \(seed)")
    }
  }
}
