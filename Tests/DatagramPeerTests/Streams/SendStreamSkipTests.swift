import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Messages that are given up.
struct SendStreamSkipTests {
  private let soon = Instant(nanoseconds: 10)
  private let late = Instant(nanoseconds: 20)

  /// Four messages of ten bytes in the stream, the two in the middle with `soon`.
  private func stream() -> SendStream {
    var stream = SendStream(channel: 0, isOrdered: true, limit: 1 << 18)
    stream.append(size: 9, id: 0)
    stream.append(size: 9, id: 1, expires: soon)
    stream.append(size: 9, id: 2, reports: false, expires: soon)
    stream.append(size: 9, id: 3, expires: late)
    return stream
  }

  private func giveUp(_ stream: inout SendStream, at now: Instant) -> [UInt64] {
    var ids: [MessageID] = []
    stream.giveUpExpired(at: now, ids: &ids)
    return ids.map(\.rawValue)
  }

  private func skip(_ packet: (range: Range<UInt64>, bytes: [UInt8])?) -> SkipFrame? {
    guard let packet, case .skip(let frame)? = streamFrames(in: packet.bytes)?.first,
      frame.range == packet.range
    else { return nil }
    return frame
  }

  private func frame(_ range: Range<UInt64>, _ sequence: UInt64, _ count: UInt64) -> SkipFrame {
    SkipFrame(
      isOrdered: true, channel: 0, range: range, firstSequence: sequence, count: count)
  }

  @Test func skipsInPlaceOfTheBytesThatWereNeverSent() {
    var stream = stream()
    #expect(stream.expiry == soon)
    #expect(giveUp(&stream, at: Instant(nanoseconds: 9)) == [])
    #expect(giveUp(&stream, at: soon) == [1, 2])
    #expect(stream.expiry == late)
    #expect(stream.packet(.fresh(credit: .max))?.range == 0..<10)
    #expect(skip(stream.packet(.fresh(credit: .max))) == frame(10..<30, 1, 2))
    #expect(stream.packet(.fresh(credit: .max))?.range == 30..<40)
    #expect(stream.acknowledged(10..<40) == [] && stream.acknowledged(0..<10) == [0, 3])
    #expect(stream.isSettled && stream.expiry == nil)
  }

  @Test func skipsAtOnceWhatWasSent() {
    var stream = stream()
    #expect(stream.packet(.fresh(credit: .max))?.range == 0..<40)
    #expect(stream.acknowledged(12..<15) == [])
    #expect(giveUp(&stream, at: soon) == [1, 2])
    #expect(stream.hasLost && skip(stream.packet(.lost)) == frame(10..<30, 1, 2))
    #expect(!stream.hasLost)
    stream.markLost(10..<30)
    #expect(skip(stream.packet(.lost)) == frame(10..<30, 1, 2))
    stream.beginPacket()
    stream.beginRides()
    #expect(stream.packet(.ride(sends: 1, budget: 100))?.range == 0..<10)
    #expect(skip(stream.packet(.ride(sends: 1, budget: 100))) == frame(10..<20, 1, 1))
    #expect(skip(stream.packet(.ride(sends: 1, budget: 100))) == frame(20..<30, 2, 1))
    #expect(stream.packet(.ride(sends: 1, budget: 100))?.range == 30..<40)
    #expect(stream.packet(.ride(sends: 1, budget: 100)) == nil)
    #expect(skip(stream.packet(.copy(20..<30))) == frame(20..<30, 2, 1))
  }

  @Test func neverSkipsWhatHasArrived() {
    var stream = stream()
    _ = stream.packet(.fresh(credit: .max))
    #expect(stream.acknowledged(20..<30) == [])
    #expect(giveUp(&stream, at: late) == [1, 3])
    #expect(skip(stream.packet(.lost)) == frame(10..<20, 1, 1))
    #expect(skip(stream.packet(.lost)) == frame(30..<40, 3, 1))
    #expect(stream.acknowledged(0..<20) == [0])
    #expect(stream.acknowledged(30..<40) == [] && stream.isSettled)
  }

  @Test func skipsAMessageThatWasPartlySentAsAWhole() {
    var stream = stream()
    #expect(stream.packet(.fresh(credit: .max), room: 28)?.range == 0..<25)
    #expect(giveUp(&stream, at: soon) == [1, 2])
    #expect(skip(stream.packet(.lost)) == frame(10..<20, 1, 1))
    #expect(stream.packet(.fresh(credit: 4)) == nil && !stream.hasFresh(credit: 4))
    #expect(skip(stream.packet(.fresh(credit: 5))) == frame(20..<30, 2, 1))
    #expect(stream.sentEnd == 30)
  }

  @Test func sendsTheBytesOfAMessageThatNoWindowHasRoomFor() {
    var stream = SendStream(channel: 0, isOrdered: false, limit: 1 << 18)
    stream.append(size: 1 << 20, id: 1, expires: soon)
    #expect(giveUp(&stream, at: soon) == [1])
    #expect(stream.hasFresh(credit: 1_000))
    #expect(stream.packet(.fresh(credit: 1_000))?.range == 0..<1_000)
    stream.limit = 1 << 21
    let end = stream.end
    #expect(stream.packet(.fresh(credit: .max))?.range == 0..<end)
    #expect(stream.acknowledged(0..<end) == [] && stream.isSettled)
  }
}
