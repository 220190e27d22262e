import Primitives
import Testing

@testable import DatagramPeer

struct StreamTableTests {
  /// All streams that there can be, in an order of their own.
  private static let shuffled: [StreamID] = {
    var generator = SplitMix64(seed: 3)
    return (0..<512).map { StreamID(channel: UInt8($0 / 2), isOrdered: $0 % 2 == 1) }
      .shuffled(using: &generator)
  }()

  @Test("Every stream has the place in which it was added, however many there are")
  func places() {
    var table = StreamTable()
    for stream in Self.shuffled { table.append(stream) }
    let found = Self.shuffled.map { table.index(of: $0) }
    #expect(found == Array(0..<512))
    let again = Self.shuffled.reversed().map { table.find($0) }
    #expect(again == (0..<512).reversed())
  }

  @Test("One that was not added has no place, and looking for it changes nothing")
  func missing() {
    var table = StreamTable()
    let stream = StreamID(channel: 7, isOrdered: true)
    #expect(table.index(of: stream) == nil && table.find(stream) == nil)
    table.append(stream)
    let sibling = StreamID(channel: 7, isOrdered: false)
    #expect(table.index(of: sibling) == nil && table.find(sibling) == nil)
    #expect(table.index(of: stream) == 0 && table.find(stream) == 0)
  }

  @Test("The two kinds of a channel are two streams, next to each other")
  func kinds() {
    let (reliable, ordered) = (
      StreamID(channel: 255, isOrdered: false), StreamID(channel: 255, isOrdered: true)
    )
    #expect(reliable < ordered && ordered.rawValue == 511)
    #expect(StreamID(channel: 0, isOrdered: true) < reliable)
  }
}
