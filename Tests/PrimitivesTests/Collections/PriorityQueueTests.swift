import Primitives
import Testing

struct PriorityQueueTests {
  @Test func isEmptyAtFirst() {
    var queue = PriorityQueue<Int, String>()
    #expect(queue.isEmpty && queue.count == 0 && queue.first == nil && queue.firstPriority == nil)
    #expect(queue.popFirst() == nil)
  }

  @Test func keepsTheOrderOfInsertionAmongEquals() {
    var queue = PriorityQueue<Int, Int>()
    for element in 0..<100 { queue.insert(element, priority: element % 2) }
    let popped = (0..<100).map { _ in queue.popFirst() }
    #expect(popped == (0..<100).map { $0 < 50 ? $0 * 2 : ($0 - 50) * 2 + 1 })
  }

  /// Against an array that is kept sorted by insertion behind all that are not greater.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func behavesAsASortedArray(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var queue = PriorityQueue<Int, Int>()
    var model: [(priority: Int, element: Int)] = []
    let growth = Int.random(in: 4..<8, using: &generator)
    for step in 0..<300 {
      if Int.random(in: 0..<10, using: &generator) < growth {
        let priority = Int.random(in: 0..<20, using: &generator)
        queue.insert(step, priority: priority)
        let place = model.firstIndex { $0.priority > priority } ?? model.count
        model.insert((priority, step), at: place)
      } else {
        let expected = model.isEmpty ? nil : model.removeFirst().element
        #expect(queue.popFirst() == expected, "seed \(seed), step \(step)")
      }
      #expect(queue.count == model.count, "seed \(seed), step \(step)")
      #expect(queue.isEmpty == model.isEmpty, "seed \(seed), step \(step)")
      #expect(queue.first == model.first?.element, "seed \(seed), step \(step)")
      #expect(queue.firstPriority == model.first?.priority, "seed \(seed), step \(step)")
    }
  }
}
