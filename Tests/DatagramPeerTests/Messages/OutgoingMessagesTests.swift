import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct OutgoingMessagesTests {
  private var outgoing = OutgoingMessages()

  private mutating func accept(
    _ id: UInt64, _ delivery: Delivery = .ordered, channel: UInt8 = 0, size: Int = 1
  ) {
    outgoing.accept(
      [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: size),
      id: MessageID(rawValue: id), stream: StreamKey(channel: channel, delivery: delivery))
  }

  /// The sequence numbers written into the next packet, and the keys of reliable messages.
  private mutating func write(
    packet: UInt64, room: Int = 1_200, oldest: Bool = false
  ) -> (sequences: [UInt64], written: OutgoingMessages.Written) {
    var written = OutgoingMessages.Written()
    var outgoing = self.outgoing
    let bytes = WireBytes.written(capacity: room) {
      written =
        oldest
        ? outgoing.writeOldest(into: &$0, packet: packet)
        : outgoing.write(into: &$0, packet: packet)
    }
    self.outgoing = outgoing
    let contents = MessageBytes.contents(of: bytes) ?? []
    #expect(contents.count == written.count)
    return (contents.map(\.sequence), written)
  }

  @Test("Messages go out in the order in which they were accepted, as many as fit")
  mutating func order() {
    for id in UInt64(0)..<10 { accept(id, size: 10) }
    #expect(write(packet: 0, room: 14 * 4).sequences == [0, 1, 2, 3])
    #expect(write(packet: 1, room: 13).sequences == [])
    #expect(write(packet: 2).sequences == [4, 5, 6, 7, 8, 9])
    #expect(!outgoing.hasWork)
    #expect(!outgoing.isEmpty)
  }

  @Test("Each channel and kind counts for itself")
  mutating func sequences() {
    for _ in 0..<2 {
      accept(1, .ordered, channel: 0)
      accept(2, .ordered, channel: 1)
      accept(3, .unreliable, channel: 0)
      accept(4, .sequenced, channel: 0)
      accept(5, .reliable, channel: 0)
    }
    let (sequences, written) = write(packet: 0)
    #expect(sequences == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    #expect(written.keys.count == 6)
    #expect(written.count == 10)
    #expect(written.retransmitted == 0)
  }

  @Test("What need not arrive is forgotten once it is sent")
  mutating func unreliable() {
    accept(1, .unreliable, size: 100)
    accept(2, .sequenced, size: 50)
    #expect(outgoing.heldBytes == 150 + 2 * OutgoingMessages.messageCost)
    #expect(write(packet: 0).written.keys.isEmpty)
    #expect(outgoing.heldBytes == 0)
    #expect(outgoing.isEmpty)
  }

  @Test("At most 1,024 from the oldest unacknowledged message are under way")
  mutating func window() {
    for id in UInt64(0)..<1_100 { accept(id) }
    var sent: [UInt64] = []
    for packet in UInt64(0)..<20 where outgoing.hasWork {
      sent += write(packet: packet).sequences
    }
    #expect(sent == Array(0..<1_024))
    // Holes behind the oldest do not make room: the receiver's window begins at it.
    for key in UInt64(1)..<1_000 { _ = outgoing.acknowledge(key) }
    #expect(!outgoing.hasWork)
    _ = outgoing.acknowledge(0)
    #expect(outgoing.hasWork)
    #expect(write(packet: 20).sequences == Array(1_024..<1_100))
  }

  @Test("A lost message goes again, first and once")
  mutating func resend() {
    for id in UInt64(0)..<3 { accept(id) }
    _ = write(packet: 0)
    accept(3)
    outgoing.markLost(1, in: 0)
    outgoing.markLost(1, in: 0)
    #expect(outgoing.hasWork)
    let (sequences, written) = write(packet: 1)
    #expect(sequences == [1, 3])
    #expect(written.retransmitted == 1)
    #expect(written.keys == [1, 3])
    #expect(!outgoing.hasWork)
  }

  @Test("The loss of an earlier packet means nothing once a later one carries the message")
  mutating func latestPacketCounts() {
    accept(0)
    _ = write(packet: 0)
    #expect(write(packet: 1, oldest: true).sequences == [0])
    outgoing.markLost(0, in: 0)
    #expect(!outgoing.hasWork)
    outgoing.markLost(0, in: 1)
    #expect(write(packet: 2).sequences == [0])
  }

  @Test("A message is acknowledged once, whichever packet brought it")
  mutating func acknowledgeTwice() {
    accept(7, size: 20)
    _ = write(packet: 0)
    _ = write(packet: 1, oldest: true)
    #expect(outgoing.acknowledge(0) == MessageID(rawValue: 7))
    #expect(outgoing.acknowledge(0) == nil)
    #expect(outgoing.heldBytes == 0)
    #expect(outgoing.isEmpty)
    outgoing.markLost(0, in: 1)
    #expect(!outgoing.hasWork)
  }

  @Test("What never was sent is not acknowledged", arguments: [UInt64(0), 1, 1 << 40, .max])
  mutating func unknownKey(key: UInt64) {
    #expect(outgoing.acknowledge(key) == nil)
    outgoing.markLost(key, in: 0)
    #expect(!outgoing.hasWork)
  }

  @Test("A message acknowledged while it waits to go again leaves nothing to send")
  mutating func lateAcknowledgement() {
    for id in UInt64(0)..<3 { accept(id) }
    _ = write(packet: 0)
    for key in UInt64(0)..<3 { outgoing.markLost(key, in: 0) }
    _ = outgoing.acknowledge(1)
    #expect(outgoing.hasWork)
    _ = outgoing.acknowledge(0)
    _ = outgoing.acknowledge(2)
    #expect(!outgoing.hasWork, "a packet without any frame would be sent")
  }

  @Test("A message that a probe carried no longer waits to go again")
  mutating func probeInsteadOfResending() {
    for id in UInt64(0)..<3 { accept(id, size: 400) }
    _ = write(packet: 0, room: 2_000)
    for key in UInt64(0)..<3 { outgoing.markLost(key, in: 0) }
    #expect(write(packet: 1, oldest: true).sequences == [0, 1])
    #expect(write(packet: 2).sequences == [2])
    #expect(!outgoing.hasWork)
    // Lost once more, each goes once more.
    outgoing.markLost(0, in: 1)
    #expect(write(packet: 3).sequences == [0])
    #expect(!outgoing.hasWork)
  }

  @Test("A probe carries the oldest messages that are not acknowledged, as many as fit")
  mutating func probe() {
    for id in UInt64(0)..<5 { accept(id, size: 300) }
    _ = write(packet: 0)
    _ = write(packet: 1)
    _ = outgoing.acknowledge(1)
    let (sequences, written) = write(packet: 2, oldest: true)
    #expect(sequences == [0, 2, 3])
    #expect(written.retransmitted == 3)
  }

  @Test("At the end exactly the reliable messages without acknowledgement are named")
  mutating func removeAll() {
    for id in UInt64(0)..<4 { accept(id, Delivery.allCases[Int(id)]) }
    _ = write(packet: 0)
    _ = outgoing.acknowledge(0)
    for id in UInt64(4)..<8 { accept(id, Delivery.allCases[Int(id) - 4]) }
    #expect(outgoing.removeAll() == [3, 6, 7].map(MessageID.init))
    #expect(outgoing.heldBytes == 0)
    #expect(outgoing.isEmpty)
    #expect(!outgoing.hasWork)
    #expect(outgoing.removeAll().isEmpty)
    #expect(outgoing.acknowledge(1) == nil)
  }

  @Test("Whatever is lost, every message is acknowledged once", arguments: UInt64(0)..<30)
  mutating func settlesUnderLoss(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var open: [UInt64: [UInt64]] = [:]
    var acknowledged: [MessageID] = []
    var packet: UInt64 = 0
    var accepted: UInt64 = 0
    while acknowledged.count < 200 {
      while accepted < 200, Bool.random(using: &generator) {
        accept(accepted, size: .random(in: 0...600, using: &generator))
        accepted += 1
      }
      let isProbe = Int.random(in: 0..<8, using: &generator) == 0
      let keys = write(packet: packet, oldest: isProbe).written.keys
      #expect(Set(keys).count == keys.count, "seed \(seed): a message twice in one packet")
      open[packet] = keys
      packet += 1
      guard let done = open.keys.min(), open.count > Int.random(in: 0..<5, using: &generator)
      else { continue }
      for key in open.removeValue(forKey: done) ?? [] {
        if Int.random(in: 0..<3, using: &generator) == 0 {
          outgoing.markLost(key, in: done)
        } else if let id = outgoing.acknowledge(key) {
          acknowledged.append(id)
        }
      }
      guard packet < 20_000 else { break }
    }
    #expect(acknowledged.sorted() == (UInt64(0)..<200).map(MessageID.init), "seed \(seed)")
    #expect(outgoing.heldBytes == 0)
    #expect(outgoing.isEmpty)
    #expect(!outgoing.hasWork, "seed \(seed)")
  }
}
