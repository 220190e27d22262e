import Primitives
import Testing

@testable import DatagramPeer

struct PendingMessagesTests {
  private typealias Entry = PendingMessages.Entry

  private func whole(_ range: Range<UInt64>) -> Entry {
    Entry(start: range.lowerBound, end: range.upperBound, isWhole: true)
  }

  @Test("Whole messages that touch become one entry, in whatever order they come")
  func merging() {
    var pending = PendingMessages()
    for range in [UInt64(20)..<30, 0..<10, 40..<50, 10..<20] { pending.insertWhole(range) }
    #expect(pending.entries == [whole(0..<30), whole(40..<50)])
    #expect(pending.wholeCount == 2)
    let index = pending.insertOpen(start: 30, end: 40)
    #expect(index == 1 && pending.count == 3)
    pending.setWhole(at: index)
    #expect(pending.entries == [whole(0..<50)])
    #expect(pending.wholeCount == 1)
  }

  @Test("A message that is here already is not added again")
  func twice() {
    var pending = PendingMessages()
    #expect(pending.insertOpen(start: 5, end: nil) == 0)
    #expect(pending.insertOpen(start: 5, end: 9) == 0)
    #expect(pending.index(atOrBefore: 4) == nil)
    #expect(pending.index(atOrBefore: 5) == 0)
    #expect(pending.index(atOrBefore: 50) == 0)
    #expect(pending.count == 1)
  }

  @Test("Cutting takes parts out of runs of whole messages")
  func cuttingRuns() {
    var pending = PendingMessages()
    pending.insertWhole(0..<50)
    pending.insertWhole(60..<90)
    let isClean = pending.cut(10..<20)
    #expect(isClean && pending.entries == [whole(0..<10), whole(20..<50), whole(60..<90)])
    let isCleanAgain = pending.cut(40..<70)
    #expect(isCleanAgain && pending.entries == [whole(0..<10), whole(20..<40), whole(70..<90)])
    #expect(pending.wholeCount == 3)
    pending.removeWhole()
    #expect(pending.isEmpty && pending.wholeCount == 0)
  }

  @Test("Cutting removes messages that are not whole, and tells where it cuts one in two")
  func cuttingOpen() {
    for (range, isClean, left) in [
      (UInt64(10)..<20, true, 0), (0..<30, true, 0), (10..<15, false, 0), (15..<20, false, 0),
      (0..<10, true, 1), (20..<30, true, 1),
    ] {
      var pending = PendingMessages()
      _ = pending.insertOpen(start: 10, end: 20)
      #expect(pending.cut(range) == isClean, "\(range)")
      #expect(pending.count == left, "\(range)")
    }
  }
}
