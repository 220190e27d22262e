import Primitives
import Testing

struct QueueTests {
  @Test func isEmptyAtFirst() {
    var queue = Queue<Int>()
    #expect(queue.isEmpty && queue.count == 0 && queue.first == nil)
    #expect(queue.popFirst() == nil)
  }

  /// Against an array, which does the same slowly.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func behavesAsAnArray(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var (queue, model) = (Queue<Int>(), [Int]())
    // Some runs mostly grow, some hardly ever hold anything.
    let growth = Int.random(in: 3..<8, using: &generator)
    for step in 0..<300 {
      switch Int.random(in: 0..<10, using: &generator) {
      case ..<growth:
        queue.append(step)
        model.append(step)
      case 9 where !model.isEmpty:
        let offset = Int.random(in: 0..<model.count, using: &generator)
        queue[offset] = -step
        model[offset] = -step
      case 8 where step % 50 == 0:
        queue.removeAll()
        model.removeAll()
      default:
        let expected = model.isEmpty ? nil : model.removeFirst()
        #expect(queue.popFirst() == expected, "seed \(seed), step \(step)")
      }
      #expect(queue.first == model.first, "seed \(seed), step \(step)")
      #expect((0..<queue.count).map { queue[$0] } == model, "seed \(seed), step \(step)")
    }
  }

  @Test func letsGoOfWhatIsTakenOut() {
    var queue = Queue<Counted>()
    weak var element: Counted?
    do {
      let counted = Counted()
      element = counted
      queue.append(counted)
    }
    #expect(element != nil)
    queue.popFirst()
    #expect(element == nil)
  }
}

private final class Counted {}
