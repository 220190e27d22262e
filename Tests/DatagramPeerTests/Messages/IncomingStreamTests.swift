import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct IncomingStreamTests {
  private let tolerance = Interval.milliseconds(50)

  private func stream(_ delivery: Delivery) -> IncomingStream {
    IncomingStream(key: StreamKey(channel: 0, delivery: delivery))
  }

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  private func verdict(
    _ stream: IncomingStream, _ sequence: UInt64, size: Int = 1, room: Int = 1 << 20
  ) -> IncomingStream.Verdict {
    stream.verdict(on: sequence, size: size, bufferRoom: room)
  }

  @Test("Reliable kinds refuse what is 1,024 or more above the lowest that is missing")
  func window() {
    for (delivery, within) in [
      (Delivery.reliable, IncomingStream.Verdict.deliver), (.ordered, .hold),
    ] {
      var stream = stream(delivery)
      #expect(verdict(stream, 1_023) == within)
      #expect(verdict(stream, 1_024) == .refuse)
      #expect(verdict(stream, variableLengthMaximum) == .refuse)
      stream.noteDelivery(of: 0, at: at(0))
      #expect(stream.nextHeld() == nil)
      #expect(verdict(stream, 1_024) == within)
      #expect(verdict(stream, 1_025) == .refuse)
      #expect(verdict(stream, 0) == .drop)
    }
  }

  @Test("Ordered messages are held only while there is room, but the next one always goes through")
  func bufferRoom() {
    let stream = stream(.ordered)
    #expect(verdict(stream, 3, size: 100, room: 100) == .hold)
    #expect(verdict(stream, 3, size: 101, room: 100) == .refuse)
    #expect(verdict(stream, 3, size: 0, room: -1_000) == .refuse)
    #expect(verdict(stream, 0, size: 1_175, room: -1_000) == .deliver)
    #expect(verdict(self.stream(.reliable), 3, size: 1_175, room: -1_000) == .deliver)
  }

  @Test("Sequenced messages never run backwards; unreliable ones may")
  func oldOnes() {
    for (delivery, older) in [
      (Delivery.sequenced, IncomingStream.Verdict.drop), (.unreliable, .deliver),
    ] {
      var stream = stream(delivery)
      stream.noteDelivery(of: 7, at: at(0))
      #expect(verdict(stream, 6) == older)
      #expect(verdict(stream, 8) == .deliver)
    }
    var sequenced = stream(.sequenced)
    sequenced.noteDelivery(of: 7, at: at(0))
    #expect(verdict(sequenced, 7) == .drop)
  }

  @Test("A gap is told after the tolerance, once")
  func gapTiming() {
    var stream = stream(.unreliable)
    stream.noteDelivery(of: 0, at: at(0))
    #expect(stream.gapDeadline(tolerance: tolerance) == nil)
    stream.noteDelivery(of: 5, at: at(10))
    stream.noteDelivery(of: 7, at: at(30))
    #expect(stream.gapDeadline(tolerance: tolerance) == at(60))
    #expect(stream.nextGap(at: at(59), tolerance: tolerance) == nil)
    #expect(stream.nextGap(at: at(60), tolerance: tolerance) == 1..<5)
    #expect(stream.nextGap(at: at(60), tolerance: tolerance) == nil)
    #expect(stream.gapDeadline(tolerance: tolerance) == at(80))
    #expect(stream.nextGap(at: at(60), tolerance: tolerance, all: true) == 6..<7)
    #expect(stream.gapDeadline(tolerance: tolerance) == nil)
  }

  @Test("What comes late fills its hole: at the edges, in the middle, and all of it")
  func filling() {
    var stream = stream(.unreliable)
    stream.noteDelivery(of: 10, at: at(0))
    for late: UInt64 in [4, 0, 9, 5] { stream.noteDelivery(of: late, at: at(20)) }
    #expect(stream.gapDeadline(tolerance: tolerance) == at(50))
    #expect(stream.nextGap(at: at(50), tolerance: tolerance) == 1..<4)
    #expect(stream.nextGap(at: at(50), tolerance: tolerance) == 6..<9)
    #expect(stream.nextGap(at: at(50), tolerance: tolerance) == nil)
    stream.noteDelivery(of: 12, at: at(60))
    stream.noteDelivery(of: 11, at: at(70))
    #expect(stream.nextGap(at: at(1_000), tolerance: tolerance) == nil)
    // One that was told as missing already is no hole any more.
    stream.noteDelivery(of: 7, at: at(80))
    #expect(stream.nextGap(at: at(1_000), tolerance: tolerance, all: true) == nil)
  }

  @Test("Of more than 64 holes the oldest count as lost at once")
  func manyHoles() {
    var stream = stream(.sequenced)
    for sequence in stride(from: UInt64(1), through: 141, by: 2) {
      stream.noteDelivery(of: sequence, at: at(0))
    }
    var told: [Range<UInt64>] = []
    while let gap = stream.nextGap(at: at(0), tolerance: tolerance) { told.append(gap) }
    #expect(told == stride(from: UInt64(0), through: 12, by: 2).map { $0..<($0 + 1) })
  }

  @Test("A jump to the last number there is costs nothing", arguments: Delivery.allCases)
  func largestJump(delivery: Delivery) {
    var stream = stream(delivery)
    let last = variableLengthMaximum
    if delivery.isReliable {
      #expect(verdict(stream, last) == .refuse)
    } else {
      #expect(verdict(stream, last) == .deliver)
      stream.noteDelivery(of: last, at: at(0))
      #expect(verdict(stream, last) == (delivery == .sequenced ? .drop : .deliver))
      #expect(stream.nextGap(at: at(50), tolerance: tolerance) == 0..<last)
    }
  }
}
