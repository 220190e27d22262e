import Primitives
import Testing

@testable import DatagramPeer

struct RecordQueueTests {
  /// Against an array, with so many records that the front is moved away many times.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func behavesAsAnArray(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var (queue, model) = (RecordQueue<Int>(), [Int]())
    for step in 0..<300 {
      let size = Int.random(in: 0..<40, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1:
        queue.append(step)
        model.append(step)
      case 2:
        queue.append(count: size) { (output: inout OutputSpan<Int>) in
          for record in 0..<size { output.append(record) }
        }
        model += 0..<size
      case 3 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &generator)
        queue[index] = -step
        model[index] = -step
      default:
        let count = min(size, model.count)
        queue.dropFirst(count)
        model.removeFirst(count)
      }
      let isRight =
        queue.isEmpty == model.isEmpty && (0..<queue.count).map { queue[$0] } == model
      #expect(isRight, "seed \(seed), step \(step)")
    }
  }
}
