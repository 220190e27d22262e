import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// What both kinds have in common, and where they differ. Messages have two bytes each: `[1, n]`.
struct ReceiveStreamTests {
  private let peer = PeerID(rawValue: 1)

  /// A stream and what it hands over, as text: payloads, and gaps in brackets.
  private struct Receiver {
    var stream: ReceiveStream
    var inbox = EventBatch()
    var mayDeliver = true
    let peer = PeerID(rawValue: 1)

    init(_ isOrdered: Bool) {
      stream = ReceiveStream(channel: 9, isOrdered: isOrdered, window: 4_096)
    }

    @discardableResult
    mutating func take(_ bytes: [UInt8], at offset: UInt64, starts: Bool = true)
      -> ReceiveStream.Taken
    {
      stream.take(
        bytes.span, at: offset, startsMessage: starts, peer: peer, mayDeliver: mayDeliver,
        into: &inbox)
    }

    @discardableResult
    mutating func skip(_ range: Range<UInt64>, _ first: UInt64, _ count: UInt64)
      -> ReceiveStream.Taken
    {
      stream.skip(
        range, firstSequence: first, count: count, peer: peer, mayDeliver: mayDeliver,
        into: &inbox)
    }

    mutating func told() -> [String] {
      var texts: [String] = []
      while let event = inbox.nextEvent() {
        switch event {
        case .message(let message):
          let number = message.sequence.map { "\($0):" } ?? ""
          texts.append(number + message.payload.map(String.init).joined(separator: ","))
        case .gap(let gap): texts.append("[\(gap.missing.lowerBound)..<\(gap.missing.upperBound)]")
        default: texts.append("?")
        }
      }
      return texts
    }
  }

  @Test("Messages in order go through at once, and nothing is kept")
  func inOrder() {
    var ordered = Receiver(true)
    var reliable = Receiver(false)
    #expect(ordered.take([1, 10, 1, 11], at: 0) == .init(isNew: true, delivered: 2))
    #expect(reliable.take([1, 10, 1, 11], at: 0) == .init(isNew: true, delivered: 2))
    #expect(ordered.told() == ["0:10", "1:11"])
    #expect(reliable.told() == ["10", "11"])
    #expect(ordered.stream.bufferedBytes == 0 && reliable.stream.bufferedBytes == 0)
    #expect(ordered.stream.delivered == 4 && ordered.stream.highest == 4)
  }

  @Test("A chunk that came before is a duplicate, also where it is only a part of one")
  func duplicates() {
    for isOrdered in [true, false] {
      var receiver = Receiver(isOrdered)
      receiver.take([1, 10, 1, 11], at: 0)
      receiver.take([2, 12], at: 4)
      receiver.take([1, 14], at: 20)
      _ = receiver.told()
      #expect(receiver.take([1, 10, 1, 11], at: 0) == .duplicate)
      #expect(receiver.take([1, 11], at: 2) == .duplicate)
      #expect(receiver.take([1, 11, 2], at: 2) == .duplicate)
      #expect(receiver.take([2, 12], at: 4) == .duplicate)
      #expect(receiver.take([1, 14], at: 20) == .duplicate)
      #expect(receiver.told() == [])
    }
  }

  @Test("What comes out of order waits if it is ordered, and is handed over if it is reliable")
  func outOfOrder() {
    var ordered = Receiver(true)
    var reliable = Receiver(false)
    ordered.take([1, 12, 1, 13], at: 4)
    reliable.take([1, 12, 1, 13], at: 4)
    #expect(ordered.told() == [])
    #expect(ordered.stream.isIncomplete)
    #expect(reliable.told() == ["12", "13"])
    ordered.take([1, 10, 1, 11], at: 0)
    reliable.take([1, 10, 1, 11], at: 0)
    #expect(ordered.told() == ["0:10", "1:11", "2:12", "3:13"])
    #expect(reliable.told() == ["10", "11"])
    #expect(!ordered.stream.isIncomplete && !reliable.stream.isIncomplete)
    #expect(ordered.stream.delivered == 8 && reliable.stream.delivered == 8)
  }

  @Test("A message in pieces is whole with its last one, in whatever order they come")
  func pieces() {
    let message: [UInt8] = [0x40, 5, 1, 2, 3, 4, 5]
    for isOrdered in [true, false] {
      for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        var receiver = Receiver(isOrdered)
        let cuts = [0..<1, 1..<4, 4..<7]
        let delivered = order.map { index in
          receiver.take(
            Array(message[cuts[index]]), at: UInt64(cuts[index].lowerBound), starts: index == 0
          ).delivered
        }
        #expect(delivered == [0, 0, 1], "ordered \(isOrdered), \(order)")
        #expect(receiver.told() == [isOrdered ? "0:1,2,3,4,5" : "1,2,3,4,5"])
      }
    }
  }

  @Test("A repetition may be cut anew: what it brings for the second time is not told again")
  func otherCuts() {
    for isOrdered in [true, false] {
      var receiver = Receiver(isOrdered)
      receiver.take([1, 11, 2, 12], at: 2)
      receiver.take([1, 14], at: 9)
      receiver.take([1, 10, 1, 11, 2, 12, 12, 1], at: 0)
      let told = receiver.told()
      #expect(
        told == (isOrdered ? ["0:10", "1:11", "2:12,12"] : ["11", "14", "10", "12,12"]))
      receiver.take([1, 13, 1, 14, 1, 15], at: 7)
      let more = receiver.told()
      #expect(more == (isOrdered ? ["3:13", "4:14", "5:15"] : ["13", "15"]))
    }
  }

  @Test("While nothing may be handed over everything is kept, and comes with deliver")
  func pause() {
    for isOrdered in [true, false] {
      for isPaused in [true, false] {
        var receiver = Receiver(isOrdered)
        receiver.stream.isPaused = isPaused
        receiver.mayDeliver = isPaused
        #expect(receiver.take([1, 10, 1, 11, 2, 12], at: 0) == .init(isNew: true))
        #expect(receiver.take([12, 1, 13], at: 6, starts: false).isNew == true)
        receiver.take([1, 14], at: 9)
        #expect(receiver.told() == [])
        #expect(receiver.stream.hasUndelivered && receiver.stream.delivered == 0)
        receiver.stream.isPaused = false
        let taken = receiver.stream.deliver(peer: peer, into: &receiver.inbox)
        #expect(taken.delivered >= 4 && !taken.isMalformed)
        #expect(receiver.told().prefix(2) == (isOrdered ? ["0:10", "1:11"] : ["10", "11"]))
        #expect(!receiver.stream.hasUndelivered)
      }
    }
  }

  @Test("Of given up messages an ordered stream tells when it is their turn")
  func orderedSkip() {
    var receiver = Receiver(true)
    receiver.take([1, 13], at: 6)
    receiver.skip(2..<6, 1, 2)
    #expect(receiver.told() == [])
    receiver.take([1, 10], at: 0)
    #expect(receiver.told() == ["0:10", "[1..<3]", "3:13"])
    #expect(receiver.stream.delivered == 8)
    #expect(receiver.skip(2..<6, 1, 2) == .duplicate)
    #expect(receiver.take([1, 11, 1, 12], at: 2) == .duplicate)
  }

  @Test("Of given up messages a reliable stream tells at once")
  func reliableSkip() {
    var receiver = Receiver(false)
    receiver.skip(2..<4, 1, 1)
    #expect(receiver.told() == ["[1..<2]"])
    receiver.take([1, 10], at: 0)
    receiver.take([1, 12], at: 4)
    #expect(receiver.told() == ["10", "12"])
    #expect(receiver.stream.delivered == 6)
    #expect(receiver.take([1, 11], at: 2) == .duplicate)
  }

  @Test("A skip of messages of which some arrived is a gap only for the others")
  func partlyArrived() {
    var receiver = Receiver(true)
    receiver.take([1, 10, 1, 11], at: 0)
    receiver.skip(0..<8, 0, 4)
    receiver.take([1, 14], at: 8)
    #expect(receiver.told() == ["0:10", "1:11", "[2..<4]", "4:14"])
  }

  @Test("Skips that overlap, or come in another order, are told once")
  func overlappingSkips() {
    var receiver = Receiver(true)
    receiver.skip(6..<8, 3, 1)
    receiver.skip(2..<4, 1, 1)
    receiver.skip(2..<8, 1, 3)
    receiver.skip(8..<10, 4, 1)
    receiver.take([1, 10], at: 0)
    #expect(receiver.told() == ["0:10", "[1..<5]"])
  }

  @Test("A message that had begun can be given up")
  func skipOfBegunMessage() {
    for isOrdered in [true, false] {
      var receiver = Receiver(isOrdered)
      receiver.take([1, 10, 9, 1, 2], at: 0)
      receiver.skip(2..<12, 1, 1)
      receiver.take([1, 12], at: 12)
      let told = receiver.told()
      #expect(told == (isOrdered ? ["0:10", "[1..<2]", "2:12"] : ["10", "[1..<2]", "12"]))
      #expect(!receiver.stream.isIncomplete)
      receiver.stream.releaseStorage()
      #expect(receiver.stream.bufferedBytes == 0)
    }
  }

  @Test("While nothing may be handed over, gaps wait as well")
  func skipDuringPause() {
    for isOrdered in [true, false] {
      var receiver = Receiver(isOrdered)
      receiver.mayDeliver = false
      receiver.skip(0..<2, 0, 1)
      receiver.take([1, 11], at: 2)
      #expect(receiver.told() == [])
      #expect(receiver.stream.deliver(peer: peer, into: &receiver.inbox).delivered == 1)
      #expect(receiver.told().contains("[0..<1]"))
      #expect(receiver.stream.delivered == 4)
    }
  }

  @Test("A stream takes less than 250 bytes beside what it keeps")
  func size() {
    #expect(MemoryLayout<ReceiveStream>.stride <= 250)
  }
}
