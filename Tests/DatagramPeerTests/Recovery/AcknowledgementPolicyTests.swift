import Primitives
import Testing

@testable import DatagramPeer

/// When an acknowledgement is due, and what need not be told again.
struct AcknowledgementPolicyTests {
  private func us(_ count: Int64) -> Instant { .zero + .microseconds(count) }

  private func packets() -> ReceivedPackets {
    var packets = ReceivedPackets()
    packets.acknowledgementDelay = .microseconds(5_000)
    return packets
  }

  @discardableResult
  private func acknowledgement(
    of packets: inout ReceivedPackets, at now: Instant = .zero
  ) -> Acknowledgement? {
    let bytes = WireBytes.written {
      packets.writeAcknowledgement(upTo: 1_200, into: &$0, at: now)
    }
    var offset = 1
    return bytes.isEmpty ? nil : Acknowledgement(parsing: bytes.span, at: &offset)
  }

  @Test("What comes alone is acknowledged at once; what follows closely, after a while")
  func sparse() {
    var packets = packets()
    packets.insert(0, isAckEliciting: true, at: us(0))
    #expect(packets.owesAcknowledgement(at: us(0)))
    acknowledgement(of: &packets)
    #expect(packets.acknowledgementDeadline == nil)
    packets.insert(1, isAckEliciting: true, at: us(1_000))
    #expect(packets.owesAcknowledgement)
    #expect(!packets.owesAcknowledgement(at: us(5_999)))
    #expect(packets.acknowledgementDeadline == us(6_000))
    #expect(packets.owesAcknowledgement(at: us(6_000)))
    acknowledgement(of: &packets)
    packets.insert(2, isAckEliciting: true, at: us(6_001))
    #expect(packets.owesAcknowledgement(at: us(6_001)))
  }

  @Test("The second packet that waits is answered at once, for both")
  func pair() {
    var packets = packets()
    packets.insert(0, isAckEliciting: true, at: us(0))
    acknowledgement(of: &packets)
    packets.insert(1, isAckEliciting: true, at: us(100))
    packets.insert(2, isAckEliciting: false, at: us(200))
    #expect(!packets.owesAcknowledgement(at: us(200)))
    packets.insert(3, isAckEliciting: true, at: us(300))
    #expect(packets.owesAcknowledgement(at: us(300)))
    #expect(acknowledgement(of: &packets)?.ranges == [0...3])
  }

  @Test("A gap is told at once, and so is what fills it")
  func gap() {
    var packets = packets()
    packets.insert(0, isAckEliciting: true, at: us(0))
    acknowledgement(of: &packets)
    packets.insert(2, isAckEliciting: true, at: us(100))
    #expect(packets.owesAcknowledgement(at: us(100)))
    acknowledgement(of: &packets)
    packets.insert(1, isAckEliciting: true, at: us(200))
    #expect(packets.owesAcknowledgement(at: us(200)))
    acknowledgement(of: &packets)
    packets.insert(5, isAckEliciting: false, at: us(300))
    #expect(!packets.owesAcknowledgement)
  }

  @Test("Copies may wait, and ride with the next")
  func copies() {
    var packets = packets()
    packets.insert(0, bringsNews: false, isAckEliciting: true, at: us(0))
    packets.insert(1, bringsNews: false, isAckEliciting: true, at: us(100))
    #expect(packets.acknowledgementDeadline == us(25_000))
    #expect(acknowledgement(of: &packets, at: us(200))?.ranges == [0...1])
    // They say nothing about what comes alone.
    packets.insert(2, isAckEliciting: true, at: us(300))
    #expect(packets.owesAcknowledgement(at: us(300)))
  }

  @Test("What the peer has heard is not told again, and duplicates are known all the same")
  func pruning() {
    var packets = ReceivedPackets()
    for number in stride(from: UInt64(0), through: 20, by: 2) {
      packets.insert(number, isAckEliciting: true, at: us(0))
    }
    #expect(packets.toldCount == 11)
    packets.prune(through: 15)
    #expect(acknowledgement(of: &packets)?.ranges == [20...20, 18...18, 16...16])
    packets.prune(through: 20)
    packets.prune(through: 1_000)
    #expect(packets.toldCount == 1)
    #expect(packets.contains(4) && !packets.contains(5))
  }

  @Test("A latecomer is told until the peer has an acknowledgement that was written after it")
  func latecomer() {
    var packets = ReceivedPackets()
    for number: UInt64 in [0, 2, 4, 6] { packets.insert(number, isAckEliciting: true, at: us(0)) }
    packets.prune(through: 6)
    packets.insert(3, isAckEliciting: true, at: us(1))
    #expect(acknowledgement(of: &packets)?.ranges == [6...6, 2...4])
    // This may have been the acknowledgement before it.
    packets.prune(through: 6)
    #expect(packets.toldCount == 2)
    packets.insert(7, isAckEliciting: true, at: us(2))
    packets.insert(1, isAckEliciting: true, at: us(3))
    packets.prune(through: 7)
    // 3 is known to be told, 1 is not.
    #expect(acknowledgement(of: &packets)?.ranges == [6...7, 0...4])
    packets.insert(8, isAckEliciting: true, at: us(4))
    packets.prune(through: 8)
    #expect(acknowledgement(of: &packets)?.ranges == [6...8])
  }

  @Test(
    "With any losses, the sender hears of every packet while acknowledgements get through",
    arguments: UInt64(0)..<40)
  func nothingUntold(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var packets = ReceivedPackets()
    var heard: Set<UInt64> = []
    var arrived: Set<UInt64> = []
    var written: [UInt64] = []
    for step in UInt64(0)..<300 {
      let number = step + 12 - UInt64.random(in: 0...12, using: &generator)
      if !packets.contains(number) {
        packets.insert(number, isAckEliciting: true, at: us(0))
        arrived.insert(number)
      }
      guard let frame = acknowledgement(of: &packets) else { continue }
      // Half of them are lost; what has arrived is acknowledged some time later.
      if Bool.random(using: &generator) {
        heard.formUnion(frame.ranges.flatMap { Array($0) })
        written.append(frame.largest)
      }
      if Int.random(in: 0..<4, using: &generator) == 0,
        let largest = written.randomElement(
          using: &generator)
      {
        packets.prune(through: largest)
      }
    }
    packets.insert(1_000, isAckEliciting: true, at: us(0))
    heard.formUnion(acknowledgement(of: &packets)?.ranges.flatMap { Array($0) } ?? [])
    let missing = arrived.subtracting(heard).sorted()
    #expect(missing.isEmpty, "seed \(seed): \(missing)")
  }
}
