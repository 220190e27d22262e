import Primitives
import Testing

@testable import patter

struct EarlyLinesTests {
  static let end = Instant.zero + .seconds(1)

  /// How many lines of this size may be said at `now`, up to ten.
  static func lineCount(_ early: inout EarlyLines, size: Int, at now: Instant = .zero) -> Int {
    var count = 0
    while count < 10, early.hasRoom(at: now) {
      early.note([UInt8](repeating: 1, count: size))
      count += 1
    }
    return count
  }

  @Test func soManyLinesMayBeSaid() {
    var early = EarlyLines(until: Self.end, lineLimit: 2, byteLimit: 10_000)
    #expect(early.deadline == nil)
    let count = Self.lineCount(&early, size: 1)
    #expect(count == 2)
    #expect(early.deadline == Self.end)
  }

  @Test func soManyBytesMayBeSaid() {
    var early = EarlyLines(until: Self.end, lineLimit: 100, byteLimit: 4_000)
    let count = Self.lineCount(&early, size: 1_000)
    #expect(count == 4)
  }

  @Test func thenAnythingMayBeSaid() {
    var early = EarlyLines(until: Self.end, lineLimit: 1, byteLimit: 1)
    let counts = [
      Self.lineCount(&early, size: 1), Self.lineCount(&early, size: 1),
      Self.lineCount(&early, size: 1, at: Self.end),
    ]
    #expect(counts == [1, 0, 10])
    #expect(early.deadline == nil)
  }
}
