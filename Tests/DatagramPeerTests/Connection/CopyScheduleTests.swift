import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct CopyScheduleTests {
  private let chunk = SentChunk(stream: 0, start: 0, length: 3)
  private let spacing = Interval.milliseconds(3)

  private func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  /// A stream of one message that was sent.
  private func sentStream() -> SendStreams {
    var streams = SendStreams()
    let payload: [UInt8] = [1, 2]
    streams.append(
      payload.span, to: StreamID(channel: 0, isOrdered: true), message: MessageID(rawValue: 1),
      reports: false, expires: nil)
    var chunks: [SentChunk] = []
    _ = WireBytes.written { streams.writeFresh(upTo: 1_200, into: &$0, chunks: &chunks) }
    #expect(chunks == [chunk])
    return streams
  }

  @Test("Copies come at their spacing, so many and no more")
  func spaced() {
    var copies = CopySchedule()
    copies.schedule([chunk], EarlyCopies(count: 2, spacing: spacing), sentAt: .zero)
    #expect(!copies.isDue(at: at(2)) && copies.next(at: at(2)) == nil)
    #expect(copies.deadline == at(3))
    #expect(copies.next(at: at(3)) == [chunk])
    #expect(copies.deadline == at(6))
    #expect(copies.next(at: at(6)) == [chunk])
    #expect(copies.isEmpty && copies.deadline == nil)
  }

  @Test("Who comes late sends one copy, and the next a spacing later")
  func late() {
    var copies = CopySchedule()
    copies.schedule([chunk], EarlyCopies(count: 2, spacing: spacing), sentAt: .zero)
    #expect(copies.next(at: at(50)) == [chunk])
    #expect(copies.next(at: at(50)) == nil)
    #expect(copies.deadline == at(53))
  }

  @Test("What is acknowledged is not copied any more")
  func settled() {
    var streams = sentStream()
    var copies = CopySchedule()
    copies.schedule([chunk], EarlyCopies(count: 2, spacing: spacing), sentAt: .zero)
    copies.dropSettled(in: streams)
    #expect(!copies.isEmpty)
    var ids: [MessageID] = []
    streams.acknowledge(chunk, ids: &ids)
    copies.dropSettled(in: streams)
    #expect(copies.isEmpty)
  }
}
