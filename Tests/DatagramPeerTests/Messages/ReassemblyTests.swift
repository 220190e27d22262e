import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct ReassemblyTests {
  private func receiver() -> UnreliableReceiver {
    UnreliableReceiver(peer: PeerID(rawValue: 1), reorderingTolerance: .milliseconds(50))
  }

  private func message(_ size: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SplitMix64(seed: seed)
    return WireBytes.random(count: size, from: &generator)
  }

  @Test("Fragments in any order, repeated, overlapping: one message", arguments: UInt64(0)..<40)
  func anyOrder(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let payload = message(.random(in: 2...20_000, using: &generator), seed: seed)
    var cuts: [Range<Int>] = []
    var start = 0
    while start < payload.count {
      let end = min(payload.count, start + .random(in: 200...1_200, using: &generator))
      cuts.append(start..<end)
      start = end
    }
    for _ in 0..<5 {
      let low = Int.random(in: 0..<payload.count, using: &generator)
      cuts.append(low..<(.random(in: (low + 1)...payload.count, using: &generator)))
    }
    cuts += cuts
    cuts.shuffle(using: &generator)
    var receiver = receiver()
    var sink = RecordingSink()
    for cut in cuts {
      let packet = UnreliableTraffic.fragment(of: payload, cut, sequence: 3)
      UnreliableTraffic.feed(packet, to: &receiver, &sink)
    }
    #expect(sink.messages.count == 1, "seed \(seed)")
    let isSame = sink.messages.first?.payload == payload
    #expect(isSame, "seed \(seed)")
    #expect(receiver.heldBytes == 0)
  }

  @Test("A fragment that brings nothing new is a duplicate, also after delivery")
  func duplicates() {
    let payload = message(1_000)
    var receiver = receiver()
    var sink = RecordingSink()
    let first = UnreliableTraffic.fragment(of: payload, 0..<600, sequence: 0)
    let second = UnreliableTraffic.fragment(of: payload, 500..<1_000, sequence: 0)
    #expect(UnreliableTraffic.feed(first, to: &receiver, &sink) == .kept)
    #expect(UnreliableTraffic.feed(first, to: &receiver, &sink) == .duplicate)
    #expect(UnreliableTraffic.feed(second, to: &receiver, &sink) == .delivered)
    #expect(UnreliableTraffic.feed(second, to: &receiver, &sink) == .duplicate)
    #expect(sink.messages.map(\.payload) == [payload])
    #expect(receiver.deadline == nil)
  }

  @Test("A fragment that speaks of another size is left out")
  func contradiction() {
    let payload = message(1_000)
    var receiver = receiver()
    var sink = RecordingSink()
    let first = UnreliableTraffic.fragment(of: payload, 0..<600, sequence: 0)
    let forged = UnreliableTraffic.fragment(of: payload, 600..<900, sequence: 0, totalSize: 900)
    let second = UnreliableTraffic.fragment(of: payload, 600..<1_000, sequence: 0)
    UnreliableTraffic.feed(first, to: &receiver, &sink)
    #expect(UnreliableTraffic.feed(forged, to: &receiver, &sink) == .contradiction)
    #expect(UnreliableTraffic.feed(second, to: &receiver, &sink) == .delivered)
    #expect(sink.messages.map(\.payload) == [payload])
  }

  @Test("Of more than 16 unfinished messages the one that has not grown for longest goes")
  func countLimit() {
    let payload = message(1_000)
    var receiver = receiver()
    var sink = RecordingSink()
    for sequence in UInt64(0)..<17 {
      let packet = UnreliableTraffic.fragment(of: payload, 0..<500, sequence: sequence)
      let now = Instant.zero + .milliseconds(Int64(sequence))
      UnreliableTraffic.feed(packet, to: &receiver, at: now, &sink)
    }
    #expect(receiver.incompleteCount == 1)
    #expect(receiver.heldBytes == 16_000)
    // The rest of the one that was given up must not cost another one its place.
    for sequence in UInt64(0)..<17 {
      let packet = UnreliableTraffic.fragment(of: payload, 500..<1_000, sequence: sequence)
      UnreliableTraffic.feed(packet, to: &receiver, at: .zero + .milliseconds(20), &sink)
    }
    #expect(sink.messages.map(\.sequence) == Array(1..<17))
  }

  @Test("Sizes that fragments announce are bounded in sum")
  func byteLimit() {
    let payload = message(65_536)
    var receiver = receiver()
    var sink = RecordingSink()
    for sequence in UInt64(0)..<10 {
      let packet = UnreliableTraffic.fragment(of: payload, 0..<500, sequence: sequence)
      let now = Instant.zero + .milliseconds(Int64(sequence))
      UnreliableTraffic.feed(packet, to: &receiver, at: now, &sink)
      #expect(receiver.heldBytes <= Reassembly.maximumBytes)
    }
    #expect(receiver.incompleteCount == 6)
  }

  @Test("What does not grow for a second is given up and told as missing")
  func age() {
    let payload = message(1_000)
    var receiver = receiver()
    var sink = RecordingSink()
    let packet = UnreliableTraffic.fragment(of: payload, 0..<500, sequence: 4)
    UnreliableTraffic.feed(packet, to: &receiver, &sink)
    #expect(receiver.deadline == .zero + .seconds(1))
    receiver.advance(to: .zero + .milliseconds(999))
    #expect(receiver.incompleteCount == 0)
    receiver.advance(to: .zero + .seconds(1))
    #expect(receiver.incompleteCount == 1)
    #expect(receiver.heldBytes == 0)
    #expect(receiver.deadline == .zero + .milliseconds(1_050))
    #expect(receiver.nextGap(at: .zero + .milliseconds(1_050))?.range == 0..<5)
    // A copy that comes later all at once is still worth delivering.
    let whole = UnreliableTraffic.whole(payload, sequence: 4)
    #expect(UnreliableTraffic.feed(whole, to: &receiver, &sink) == .delivered)
  }

  @Test("A sequenced message overtakes unfinished ones before it")
  func overtaking() {
    let payload = message(1_000)
    var receiver = receiver()
    var sink = RecordingSink()
    let first = UnreliableTraffic.fragment(of: payload, 0..<500, sequence: 0, isSequenced: true)
    let second = UnreliableTraffic.fragment(
      of: payload, 500..<1_000, sequence: 0, isSequenced: true)
    UnreliableTraffic.feed(first, to: &receiver, &sink)
    let newer = UnreliableTraffic.whole([1], sequence: 1, isSequenced: true)
    UnreliableTraffic.feed(newer, to: &receiver, &sink)
    #expect(receiver.heldBytes == 0)
    #expect(UnreliableTraffic.feed(second, to: &receiver, &sink) == .stale)
    #expect(sink.messages.map(\.payload) == [[1]])
  }

  @Test("Giving up a far later message does not let an earlier one come twice")
  func farJump() {
    let payload = message(40_000)
    var receiver = receiver()
    var sink = RecordingSink()
    for sequence: UInt64 in [5_000, 6_000, 7_000, 8_000, 9_000, 10_000] {
      let packet = UnreliableTraffic.fragment(of: payload, 0..<500, sequence: sequence)
      UnreliableTraffic.feed(packet, to: &receiver, &sink)
    }
    let old = message(65_000)
    UnreliableTraffic.feed(
      UnreliableTraffic.fragment(of: old, 0..<64_000, sequence: 5), to: &receiver, &sink)
    UnreliableTraffic.feed(
      UnreliableTraffic.fragment(of: old, 64_000..<65_000, sequence: 5), to: &receiver, &sink)
    #expect(sink.messages.isEmpty, "it is too far behind to tell whether it came before")
  }

  @Test("Tiny fragments without end cost a bounded number of parts")
  func tinyFragments() {
    let payload = message(65_536)
    var receiver = receiver()
    var sink = RecordingSink()
    for offset in stride(from: 0, to: 65_536, by: 2) {
      let packet = UnreliableTraffic.fragment(of: payload, offset..<(offset + 1), sequence: 0)
      UnreliableTraffic.feed(packet, to: &receiver, &sink)
    }
    UnreliableTraffic.feed(
      UnreliableTraffic.fragment(of: payload, 0..<60_000, sequence: 0), to: &receiver, &sink)
    #expect(sink.messages.isEmpty)
    #expect(receiver.heldBytes == 65_536)
  }
}
