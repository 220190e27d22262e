import Primitives
import Testing

@testable import DatagramPeer

struct ReceivedPacketsTests {
  private func acknowledgement(
    of packets: inout ReceivedPackets, at now: Instant = .zero
  ) -> Acknowledgement? {
    let bytes = WireBytes.written { packets.writeAcknowledgement(upTo: 1_200, into: &$0, at: now) }
    var offset = 1
    return bytes.isEmpty ? nil : Acknowledgement(parsing: bytes.span, at: &offset)
  }

  @Test("Whatever the order, it knows what has come", arguments: UInt64(0)..<60)
  func agreesWithModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var packets = ReceivedPackets()
    var model: Set<UInt64> = []
    for step in UInt64(0)..<400 {
      // Mostly forwards, some from behind, some a second time.
      let reach: UInt64 = .random(in: 0...20, using: &generator)
      let number = step + 30 - reach
      #expect(packets.contains(number) == model.contains(number), "seed \(seed), \(number)")
      guard model.insert(number).inserted else { continue }
      let isReordered = packets.largest.map { number < $0 } ?? false
      #expect(packets.insert(number, isAckEliciting: true, at: .zero) == isReordered)
      #expect(packets.largest == model.max())
    }
    let lowest = packets.ranges.last?.lowerBound ?? 0
    #expect(packets.ranges.flatMap { Array($0) }.sorted() == model.filter { $0 >= lowest }.sorted())
    for (upper, lower) in zip(packets.ranges, packets.ranges.dropFirst()) {
      #expect(lower.upperBound + 1 < upper.lowerBound, "seed \(seed): touching or out of order")
    }
  }

  @Test("Never more than 64 ranges; what falls out of them counts as seen")
  func floor() {
    var packets = ReceivedPackets()
    for number in stride(from: UInt64(10), to: 1_000, by: 2) {
      packets.insert(number, isAckEliciting: true, at: .zero)
      #expect(packets.ranges.count <= 64)
    }
    #expect(packets.ranges.count == 64)
    #expect(packets.ranges.last == 872...872)
    // 870 was forgotten, and nobody can tell any more whether 869 had come.
    for number: UInt64 in [0, 10, 11, 869, 870] { #expect(packets.contains(number)) }
    for number: UInt64 in [871, 873, 999, 1_000] { #expect(!packets.contains(number)) }
    // A hole just above the floor can still be filled.
    packets.insert(873, isAckEliciting: true, at: .zero)
    #expect(packets.ranges.last == 872...874)
  }

  @Test("Where 64 ranges are known, one below them is not acknowledged, and only 32 are told")
  func belowAllRanges() {
    var packets = ReceivedPackets()
    for number in stride(from: UInt64(100), to: 228, by: 2) {
      packets.insert(number, isAckEliciting: false, at: .zero)
    }
    packets.insert(50, isAckEliciting: true, at: .zero)
    #expect(packets.ranges.count == 64)
    #expect(packets.ranges.last == 100...100)
    #expect(packets.contains(50))
    #expect(acknowledgement(of: &packets)?.ranges.last == 164...164)
  }

  @Test("Only what asks for it is acknowledged, and once")
  func owing() {
    var packets = ReceivedPackets()
    packets.insert(0, isAckEliciting: false, at: .zero)
    #expect(!packets.owesAcknowledgement)
    #expect(acknowledgement(of: &packets) == nil)
    packets.insert(1, isAckEliciting: true, at: .zero)
    packets.insert(2, isAckEliciting: false, at: .zero)
    #expect(packets.owesAcknowledgement)
    #expect(acknowledgement(of: &packets)?.ranges == [0...2])
    #expect(!packets.owesAcknowledgement)
    #expect(acknowledgement(of: &packets) == nil)
  }

  @Test("The delay is that of the largest number, not of the last that came")
  func delay() {
    var packets = ReceivedPackets()
    packets.insert(5, isAckEliciting: true, at: .zero + .milliseconds(10))
    packets.insert(3, isAckEliciting: true, at: .zero + .milliseconds(14))
    let frame = acknowledgement(of: &packets, at: .zero + .milliseconds(15))
    #expect(frame == Acknowledgement(delay: .milliseconds(5), ranges: [5...5, 3...3]))
  }

  @Test("Without room for it an acknowledgement stays owed")
  func noRoom() {
    var packets = ReceivedPackets()
    packets.insert(1, isAckEliciting: true, at: .zero)
    let bytes = WireBytes.written(capacity: 4) {
      packets.writeAcknowledgement(upTo: 4, into: &$0, at: .zero)
    }
    #expect(bytes.isEmpty)
    #expect(packets.owesAcknowledgement)
  }
}
