import Primitives
import Testing

@testable import DatagramPeer

struct MessageBoundariesTests {
  private func boundaries() -> MessageBoundaries {
    var boundaries = MessageBoundaries()
    for end: UInt64 in [10, 11, 30, 40] { boundaries.append(end: end) }
    return boundaries
  }

  @Test func findsTheMessageOfAByte() {
    let boundaries = boundaries()
    let found = [0, 9, 10, 11, 29, 30, 39, 40].map { boundaries.index(containing: $0) }
    #expect(found == [0, 0, 1, 2, 2, 3, 3, 4])
    #expect(boundaries.index(containing: 35, from: 1) == 3)
    #expect(boundaries.start(0) == 0 && boundaries.start(3) == 30 && boundaries.end(3) == 40)
  }

  @Test func keepsCountWhereTheFirstAreDropped() {
    var boundaries = boundaries()
    boundaries.giveUp(1)
    boundaries.giveUp(2)
    boundaries.giveUp(2)
    #expect(boundaries.givenUpCount == 2 && boundaries.end(2) == 30)
    boundaries.dropFirst(to: 29)
    #expect(boundaries.firstSequence == 2 && boundaries.firstStart == 11)
    #expect(boundaries.count == 2 && boundaries.nextSequence == 4)
    #expect(boundaries.givenUpCount == 1 && boundaries.isGivenUp(0) && !boundaries.isGivenUp(1))
  }

  @Test func takesInARun() {
    var boundaries = boundaries()
    // Lengths of one, two and four bytes.
    var run: [UInt8] = [2, 9, 9, 0x40, 70] + [UInt8](repeating: 9, count: 70)
    run += [0x80, 0, 0x40, 0] + [UInt8](repeating: 9, count: 16_384)
    boundaries.append(run: run.span, count: 3, from: 40)
    #expect((4..<7).map { boundaries.end($0) } == [43, 115, 16_503])
  }
}
