import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct UnreliableReceiverTests {
  private let tolerance = Interval.milliseconds(50)

  private func receiver() -> UnreliableReceiver {
    UnreliableReceiver(peer: PeerID(rawValue: 1), reorderingTolerance: tolerance)
  }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func gaps(
    _ receiver: inout UnreliableReceiver, at now: Instant, all: Bool = false
  ) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    while let gap = receiver.nextGap(at: now, all: all) { ranges.append(gap.range) }
    return ranges
  }

  /// Feeds empty messages of these numbers; the numbers that were delivered.
  private func feed(
    _ receiver: inout UnreliableReceiver, _ sequences: [UInt64], isSequenced: Bool = false,
    channel: UInt8 = 0, at now: Instant = .zero
  ) -> [UInt64] {
    var sink = RecordingSink()
    for sequence in sequences {
      let packet = UnreliableTraffic.whole(
        [], sequence: sequence, channel: channel, isSequenced: isSequenced)
      UnreliableTraffic.feed(packet, to: &receiver, at: now, &sink)
    }
    return sink.messages.map(\.sequence)
  }

  @Test("Sequenced messages never run backwards; unreliable ones may; neither comes twice")
  func order() {
    var receiver = receiver()
    let arrivals: [UInt64] = [2, 0, 2, 1, 5, 5, 3, 0, 6]
    #expect(feed(&receiver, arrivals) == [2, 0, 1, 5, 3, 6])
    #expect(feed(&receiver, arrivals, isSequenced: true) == [2, 5, 6])
  }

  @Test("A copy is known for one up to 1,024 back; what is older counts as one")
  func window() {
    var receiver = receiver()
    #expect(feed(&receiver, [1_100, 76, 77, 76, 77, 1_100]) == [1_100, 77])
    #expect(feed(&receiver, [1_164, 140, 141, 1_100, 1_101]) == [1_164, 141, 1_101])
    #expect(feed(&receiver, [5_000, 1_164, 4_999, 3_976, 3_977]) == [5_000, 4_999, 3_977])
  }

  @Test("Arrived numbers agree with a set of them", arguments: UInt64(0)..<30)
  func arrivedNumbersModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var numbers = ArrivedNumbers()
    var delivered: Set<UInt64> = []
    var largest: UInt64 = 0
    for _ in 0..<3_000 {
      let jump = Int.random(in: 0..<50, using: &generator) == 0 ? UInt64(1_500) : 8
      let low = largest - min(largest, 1_040)
      let number = UInt64.random(in: low...(largest + jump), using: &generator)
      let isOld = number < largest && largest - number >= 1_024
      #expect(
        numbers.contains(number) == (isOld || delivered.contains(number)),
        "seed \(seed): \(number)")
      guard !numbers.contains(number) else { continue }
      numbers.insert(number)
      delivered.insert(number)
      largest = max(largest, number)
    }
  }

  @Test("A gap is told after the tolerance, once, for the stream it is in")
  func gapTiming() {
    var receiver = receiver()
    #expect(receiver.deadline == nil)
    #expect(feed(&receiver, [0], at: at(0)) == [0])
    #expect(feed(&receiver, [5], channel: 4, at: at(10)) == [5])
    #expect(feed(&receiver, [7], isSequenced: true, channel: 4, at: at(30)) == [7])
    #expect(receiver.deadline == at(60))
    #expect(gaps(&receiver, at: at(59)) == [])
    let first = receiver.nextGap(at: at(60))
    #expect(first?.channel == 4 && first?.delivery == .unreliable && first?.range == 0..<5)
    #expect(receiver.nextGap(at: at(60)) == nil)
    #expect(receiver.deadline == at(80))
    let second = receiver.nextGap(at: at(60), all: true)
    #expect(second?.channel == 4 && second?.delivery == .sequenced && second?.range == 0..<7)
    #expect(receiver.deadline == nil)
  }

  @Test("What comes late fills its hole: at the edges, in the middle, and all of it")
  func filling() {
    var receiver = receiver()
    #expect(feed(&receiver, [10]) == [10])
    #expect(feed(&receiver, [4, 0, 9, 5], at: at(20)) == [4, 0, 9, 5])
    #expect(receiver.deadline == at(50))
    #expect(gaps(&receiver, at: at(50)) == [1..<4, 6..<9])
    #expect(feed(&receiver, [12, 11], at: at(60)) == [12, 11])
    #expect(receiver.deadline == nil)
    // One that was told as missing already is no hole any more, but it still is a message.
    #expect(feed(&receiver, [7], at: at(80)) == [7])
    #expect(gaps(&receiver, at: at(1_000), all: true) == [])
  }

  @Test("Of more than 256 holes the oldest count as lost at once")
  func manyHoles() {
    var receiver = receiver()
    _ = feed(&receiver, Array(stride(from: 1, through: 2 * 260 - 1, by: 2)))
    #expect(receiver.deadline == at(0))
    #expect(gaps(&receiver, at: at(0)) == [0..<1, 2..<3, 4..<5, 6..<7])
    #expect(receiver.deadline == at(50))
  }

  @Test("A jump to the last number there is costs nothing", arguments: [true, false])
  func largestJump(isSequenced: Bool) {
    var receiver = receiver()
    #expect(
      feed(&receiver, [variableLengthMaximum, variableLengthMaximum], isSequenced: isSequenced)
        == [variableLengthMaximum])
    #expect(gaps(&receiver, at: at(50)) == [0..<variableLengthMaximum])
  }

  @Test("All that is missing is told, and nothing else", arguments: UInt64(0)..<20)
  func gapsAddUp(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for isSequenced in [false, true] {
      var receiver = receiver()
      let order = Array(Array(UInt64(0)..<100).shuffled(using: &generator).prefix(60))
      let delivered = Set(feed(&receiver, order, isSequenced: isSequenced))
      let told = gaps(&receiver, at: .zero, all: true).flatMap(Array.init).sorted()
      let expected = (0..<(order.max() ?? 0)).filter { !delivered.contains($0) }
      #expect(told == expected, "seed \(seed)")
    }
  }

  @Test("Streams of all channels stay apart")
  func manyStreams() {
    var receiver = receiver()
    for round in UInt64(0)..<2 {
      for channel in UInt8(0)...255 {
        #expect(feed(&receiver, [round], channel: channel) == [round])
        #expect(feed(&receiver, [round, round], isSequenced: true, channel: channel) == [round])
      }
    }
    #expect(receiver.deadline == nil)
  }
}
