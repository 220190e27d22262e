import Primitives
import Testing

@testable import DatagramPeer

struct PacketNumberTests {
  @Test("RFC 9000, appendix A.2: the examples of encoding")
  func encodesExamples() {
    #expect(PacketNumber.width(of: 0xAC_5C02, largestAcknowledged: 0xAB_E8B3) == 2)
    #expect(PacketNumber.width(of: 0xAC_E8FE, largestAcknowledged: 0xAB_E8B3) == 3)
  }

  @Test("RFC 9000, appendix A.3: the example of decoding")
  func decodesExample() {
    #expect(
      PacketNumber.expand(0x9B32, width: 2, largestReceived: 0xA82F_30EA) == 0xA82F_9B32)
  }

  @Test(
    "The width grows where twice the distance no longer fits",
    arguments: [
      (distance: UInt64(1), width: 1), (127, 1), (128, 2), (0x7FFF, 2), (0x8000, 3),
      (0x7F_FFFF, 3), (0x80_0000, 4), (0x7FFF_FFFF, 4), (0x8000_0000, 4), (1 << 40, 4),
    ])
  func width(distance: UInt64, width: Int) {
    #expect(PacketNumber.width(of: 1_000 + distance, largestAcknowledged: 1_000) == width)
    #expect(PacketNumber.width(of: distance - 1, largestAcknowledged: nil) == width)
  }

  @Test("The first packets are told without any that was received", arguments: 1...4)
  func firstPackets(width: Int) {
    for number: UInt64 in [0, 1, 2, 127, 128, 255] {
      #expect(PacketNumber.expand(number, width: width, largestReceived: nil) == number)
      #expect(PacketNumber.expand(number, width: width, largestReceived: 0) == number)
    }
  }

  @Test(
    "Numbers cross the border of every width, and come back over it",
    arguments: [UInt64(1) << 8, 1 << 16, 1 << 24, 1 << 32, 1 << 40], 1...4)
  func wrapAround(border: UInt64, width: Int) {
    let mask = UInt64.max >> (64 - UInt64(width) * 8)
    for largest in (border - 3)...(border + 3) {
      for number in (border - 6)...(border + 6) {
        let found = PacketNumber.expand(number & mask, width: width, largestReceived: largest)
        #expect(found == number, "\(number) after \(largest) in \(width) bytes")
      }
    }
  }

  @Test("Everything in the window comes back as it was", arguments: UInt64(0)..<40, 1...4)
  func roundTrip(seed: UInt64, width: Int) {
    var generator = SplitMix64(seed: seed)
    let half = UInt64(1) << (UInt64(width) * 8 - 1)
    let mask = half * 2 - 1
    for _ in 0..<50 {
      let largest = (generator.next() >> UInt64.random(in: 3...40, using: &generator)) + half
      let expected = largest + 1
      let candidates = [
        expected - half + 1, expected + half,
        UInt64.random(in: (expected - half + 1)...(expected + half), using: &generator),
      ]
      for number in candidates {
        let found = PacketNumber.expand(number & mask, width: width, largestReceived: largest)
        #expect(found == number, "seed \(seed): \(number) after \(largest) in \(width) bytes")
      }
    }
  }

  @Test("What the sender writes the receiver finds, whatever was lost", arguments: UInt64(0)..<40)
  func senderAndReceiverAgree(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let acknowledged = generator.next() >> UInt64.random(in: 3...60, using: &generator)
      let distance = UInt64.random(in: 1...(1 << 31), using: &generator)
      let number = acknowledged + (distance >> UInt64.random(in: 0...30, using: &generator)) + 1
      let received = UInt64.random(in: acknowledged..<number, using: &generator)
      let width = PacketNumber.width(of: number, largestAcknowledged: acknowledged)
      let mask = UInt64.max >> (64 - UInt64(width) * 8)
      let found = PacketNumber.expand(number & mask, width: width, largestReceived: received)
      #expect(found == number, "seed \(seed): \(number), \(acknowledged) acknowledged")
    }
  }

  @Test("No number beyond 2^62 - 1 comes out", arguments: 1...4)
  func upperEnd(width: Int) {
    let mask = UInt64.max >> (64 - UInt64(width) * 8)
    for below in UInt64(0)..<4 {
      let largest = variableLengthMaximum - below
      for truncated in [0, 1, mask / 2, mask / 2 + 1, mask / 2 + 2, mask - 1, mask] {
        let found = PacketNumber.expand(truncated, width: width, largestReceived: largest)
        #expect(found <= variableLengthMaximum, "\(truncated) after \(largest)")
        #expect(found & mask == truncated)
      }
    }
  }
}
