import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct UnreliableSenderTests {
  private func sender(bytes: Int = 1 << 20, count: Int = 1_000) -> UnreliableSender {
    UnreliableSender(byteLimit: bytes, countLimit: count, packetRoom: 1_187)
  }

  private func append(
    _ size: Int, to sender: inout UnreliableSender, channel: UInt8 = 0,
    _ delivery: Delivery = .unreliable, expires: Instant? = nil
  ) -> Bool {
    let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
    return sender.append(payload.span, channel: channel, delivery: delivery, expires: expires)
  }

  private func sizes(_ sender: inout UnreliableSender, room: Int = 1_187) -> [Int] {
    UnreliableTraffic.packet(of: &sender, room: room).written.map(\.byteCount)
  }

  @Test("Messages go out in order, as many as fit, each channel and kind with its own numbers")
  func order() {
    var sender = sender()
    for (channel, delivery) in [
      (3, Delivery.unreliable), (3, .sequenced), (9, .unreliable), (3, .unreliable),
    ] as [(UInt8, Delivery)] {
      #expect(append(10, to: &sender, channel: channel, delivery))
    }
    let (bytes, written) = UnreliableTraffic.packet(of: &sender, room: 1_187)
    #expect(written.map(\.sequence) == [0, 0, 0, 1])
    #expect(written.map(\.channel) == [3, 3, 9, 3])
    #expect(written.map(\.delivery) == [.unreliable, .sequenced, .unreliable, .unreliable])
    #expect(UnreliableTraffic.frames(of: bytes)?.count == 4)
    #expect(!sender.hasWork)
    #expect(sender.heldBytes == 0)
  }

  @Test("Above a limit a message is refused and takes no number")
  func limits() {
    var sender = sender(bytes: 1_000, count: 3)
    #expect(append(400, to: &sender))
    #expect(!append(600, to: &sender))
    #expect(append(10, to: &sender))
    #expect(append(10, to: &sender))
    #expect(!append(0, to: &sender))
    #expect(sender.heldBytes == 420 + 3 * UnreliableSender.messageCost)
    let hasDropped = sender.dropFirst()
    #expect(hasDropped)
    #expect(append(0, to: &sender))
    let written = UnreliableTraffic.packet(of: &sender, room: 1_187).written
    #expect(written.map(\.sequence) == [1, 2, 3])
    let hasMore = sender.dropFirst()
    #expect(!hasMore)
  }

  @Test("A small message is never cut, and waits for a packet where it fits")
  func smallOnesWait() {
    var sender = sender()
    for _ in 0..<4 { #expect(append(380, to: &sender)) }
    #expect(sizes(&sender) == [380, 380, 380])
    #expect(sizes(&sender) == [380])
  }

  @Test("A message that fits one packet is cut only where waiting would waste a third of one")
  func largerOnesFill() {
    var sender = sender()
    for size in [900, 900] { #expect(append(size, to: &sender)) }
    #expect(sizes(&sender) == [900])
    #expect(sizes(&sender) == [900])
    for size in [700, 700] { #expect(append(size, to: &sender)) }
    let first = sizes(&sender)
    #expect(first.count == 2 && first[0] == 700 && first[1] > 450)
    #expect(sizes(&sender) == [700 - first[1]])
  }

  @Test("A large message fills packet after packet", arguments: [1_190, 5_000, 65_536])
  func largeMessage(size: Int) {
    var sender = sender()
    #expect(append(size, to: &sender))
    #expect(append(5, to: &sender))
    var total = 0
    var packets = 0
    while sender.hasWork {
      let (bytes, written) = UnreliableTraffic.packet(of: &sender, room: 1_187)
      #expect(bytes.count == 1_187 || !sender.hasWork)
      for frame in written where frame.sequence == 0 { total += frame.byteCount }
      packets += 1
    }
    #expect(total == size)
    #expect(packets == (size + 5) / 1_173 + 1)
  }

  @Test("No fragment but the last is smaller than 256 bytes", arguments: UInt64(0)..<20)
  func fragmentSize(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var sender = sender()
    for _ in 0..<20 {
      #expect(append(.random(in: 0...20_000, using: &generator), to: &sender))
    }
    var packets = 0
    while sender.hasWork, packets < 2_000 {
      let room = Int.random(in: 0...1_187, using: &generator)
      let (bytes, written) = UnreliableTraffic.packet(of: &sender, room: room)
      #expect(bytes.count <= room, "seed \(seed)")
      let isSmall = written.contains { $0.byteCount < 256 && !$0.isLast }
      #expect(!isSmall, "seed \(seed)")
      packets += 1
    }
    #expect(!sender.hasWork, "seed \(seed)")
  }

  @Test("What has become too old is not sent, and its number stays away")
  func expiry() {
    var sender = sender()
    #expect(append(10, to: &sender, expires: .zero + .milliseconds(10)))
    #expect(append(5_000, to: &sender, expires: .zero + .milliseconds(20)))
    #expect(append(10, to: &sender))
    let first = UnreliableTraffic.packet(of: &sender, room: 1_187, at: .zero + .milliseconds(10))
    #expect(first.written.map(\.sequence) == [1])
    let second = UnreliableTraffic.packet(of: &sender, room: 1_187, at: .zero + .milliseconds(20))
    #expect(second.written.map(\.sequence) == [2])
    #expect(sender.expiredCount == 2)
    #expect(sender.heldBytes == 0)
  }

  @Test("What was accepted comes out byte for byte, whatever the room", arguments: UInt64(0)..<20)
  func content(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var sender = sender()
    var receiver = UnreliableReceiver(
      peer: PeerID(rawValue: 1), reorderingTolerance: .milliseconds(50))
    var sink = RecordingSink()
    var payloads: [[UInt8]] = []
    while payloads.count < 60 || sender.hasWork {
      if payloads.count < 60, Bool.random(using: &generator) {
        let isLarge = Int.random(in: 0..<5, using: &generator) == 0
        let payload = WireBytes.random(
          count: .random(in: 0...(isLarge ? 9_000 : 300), using: &generator), from: &generator)
        if sender.append(payload.span, channel: 7, delivery: .sequenced) {
          payloads.append(payload)
        }
      }
      let room = Int.random(in: 300...1_187, using: &generator)
      let packet = UnreliableTraffic.packet(of: &sender, room: room).bytes
      UnreliableTraffic.feed(packet, to: &receiver, &sink)
    }
    let isSame = sink.messages.map(\.payload) == payloads
    #expect(isSame, "seed \(seed)")
    #expect(sink.messages.map(\.sequence) == Array(0..<60), "seed \(seed)")
  }
}
