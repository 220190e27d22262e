import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct SendStreamTests {
  private func stream(ordered: Bool = true, limit: UInt64 = 1 << 18) -> SendStream {
    SendStream(channel: 5, isOrdered: ordered, limit: limit)
  }

  @Test func isSmallAndHoldsNothingAtFirst() {
    let stream = stream()
    #expect(MemoryLayout<SendStream>.size <= 288)
    #expect(stream.isSettled && stream.heldBytes == 0 && stream.expiry == nil)
    #expect(!stream.hasLost && !stream.hasFresh(credit: .max))
  }

  @Test func sendsManyMessagesInOneChunk() throws {
    var stream = stream()
    stream.append(size: 3, id: 1)
    stream.append(size: 0, id: 2)
    stream.append(size: 2, id: 3)
    let packet = stream.packet(.fresh(credit: .max))
    let (range, bytes) = try #require(packet)
    #expect(range == 0..<8 && stream.sentEnd == 8)
    // Kind with order, length and start; channel; offset; length.
    #expect(bytes == [0x27, 5, 0, 8] + [3, 1, 1, 1, 0, 2, 3, 3])
    #expect(!stream.hasFresh(credit: .max) && stream.packet(.fresh(credit: .max)) == nil)
  }

  @Test func leavesTheLengthAwayWhereTheChunkFillsTheRoom() throws {
    var stream = stream(ordered: false)
    stream.append(size: 100, id: 1)
    let packet = stream.packet(.fresh(credit: .max), room: 40)
    let (range, bytes) = try #require(packet)
    #expect(range == 0..<37 && bytes.count == 40)
    #expect(bytes.starts(with: [0x24, 5, 0, 0x40, 100]))
  }

  /// 99 bytes and the byte of their offset leave one byte, and the length would take two.
  @Test func padsWhereTheLengthHasNoRoom() throws {
    var stream = stream()
    stream.append(size: 97, id: 1)
    let packet = stream.packet(.fresh(credit: .max), room: 103)
    let (range, bytes) = try #require(packet)
    #expect(range == 0..<99 && bytes.starts(with: [0, 0x25, 5, 0, 0x40, 97]))
    #expect(bytes.count == 103)
  }

  @Test func endsAChunkThatBeginsInsideAMessageWithIt() throws {
    var stream = stream()
    stream.append(size: 60, id: 1)
    stream.append(size: 20, id: 2)
    #expect(stream.packet(.fresh(credit: .max), room: 43)?.range == 0..<40)
    let packet = stream.packet(.fresh(credit: .max))
    let (range, bytes) = try #require(packet)
    #expect(range == 40..<61 && bytes.starts(with: [0x23, 5, 40, 21]))
    #expect(stream.packet(.fresh(credit: .max))?.range == 61..<82)
  }

  @Test func staysWithinTheWindowsAndTheRoom() {
    var stream = stream(limit: 50)
    stream.append(size: 100, id: 1)
    #expect(stream.packet(.fresh(credit: 20))?.range == 0..<20)
    #expect(!stream.hasFresh(credit: 0) && stream.packet(.fresh(credit: 0)) == nil)
    #expect(stream.packet(.fresh(credit: .max))?.range == 20..<50)
    #expect(!stream.hasFresh(credit: .max) && stream.unsentBytes == 52)
    stream.limit = 40
    #expect(stream.limit == 50)
    stream.limit = 200
    #expect(stream.packet(.fresh(credit: .max), room: 10) == nil)
    #expect(stream.packet(.fresh(credit: .max))?.range == 50..<102)
  }

  @Test func sendsAgainWhatWasLostAndIsNotAcknowledged() {
    var stream = stream()
    for id: UInt64 in 0..<4 { stream.append(size: 9, id: id) }
    #expect(stream.packet(.fresh(credit: .max))?.range == 0..<40)
    #expect(stream.acknowledged(10..<20) == [])
    stream.markLost(5..<25)
    #expect(stream.hasLost && stream.packet(.lost)?.range == 5..<10)
    #expect(stream.packet(.lost)?.range == 20..<25)
    #expect(!stream.hasLost && stream.packet(.lost) == nil)
    #expect(stream.packet(.oldest)?.range == 0..<10)
    #expect(stream.packet(.copy(8..<40))?.range == 8..<10)
    stream.markLost(0..<10)
    #expect(stream.acknowledged(0..<10) == [0, 1] && !stream.hasLost)
  }

  @Test func tellsOrderedMessagesInOrderAndReliableOnesAtOnce() {
    for isOrdered in [true, false] {
      var stream = stream(ordered: isOrdered)
      for id: UInt64 in 10..<14 { stream.append(size: 9, id: id, reports: id != 13) }
      _ = stream.packet(.fresh(credit: .max))
      #expect(stream.acknowledged(8..<30) == (isOrdered ? [] : [11, 12]))
      #expect(stream.acknowledged(8..<30) == [])
      #expect(stream.unacknowledged == 0 && stream.heldBytes > 40)
      #expect(stream.acknowledged(0..<8) == (isOrdered ? [10, 11, 12] : [10]))
      #expect(stream.unacknowledged == 30)
      #expect(stream.acknowledged(30..<40) == [])
      #expect(stream.isSettled && stream.heldBytes == 0)
    }
  }

  @Test func takesARunOfMessages() {
    var stream = stream()
    let run: [UInt8] = [1, 7, 0, 2, 8, 9]
    stream.append(run: run.span, count: 3, firstID: MessageID(rawValue: 20), reports: true)
    stream.append(size: 1, id: 23)
    let packet = stream.packet(.fresh(credit: .max))
    #expect(packet?.bytes == [0x27, 5, 0, 8] + run + [1, 23])
    #expect(stream.acknowledged(0..<3) == [20, 21])
    var ids: [MessageID] = []
    stream.removeAll(ids: &ids)
    #expect(ids.map(\.rawValue) == [22, 23] && stream.isSettled)
  }

  @Test func givesMemoryBackWhenSettled() {
    var stream = stream()
    stream.append(size: 100, id: 1)
    stream.releaseStorage()
    #expect(stream.packet(.fresh(credit: .max))?.range == 0..<102)
    #expect(stream.acknowledged(0..<102) == [1])
    #expect(stream.ring.capacity > 0)
    stream.releaseStorage()
    #expect(stream.ring.capacity == 0)
    stream.append(size: 1, id: 2)
    #expect(stream.packet(.fresh(credit: .max))?.bytes == [0x27, 5, 0x40, 102, 2, 1, 2])
  }
}
