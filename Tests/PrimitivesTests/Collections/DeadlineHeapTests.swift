import Primitives
import Testing

struct DeadlineHeapTests {
  private func at(_ count: Int64) -> Instant { Instant(nanoseconds: count) }

  @Test("The earliest is first, and of two that are equal the smaller key")
  func first() {
    var heap = DeadlineHeap()
    #expect(heap.isEmpty && heap.first == nil)
    heap.set(at(5), for: 3)
    heap.set(at(4), for: 9)
    heap.set(at(4), for: 7)
    #expect(heap.first?.key == 7 && heap.first?.deadline == at(4))
  }

  @Test("A deadline is moved in place, both ways, and taken away")
  func moves() {
    var heap = DeadlineHeap()
    for key in 0..<5 { heap.set(at(Int64(key)), for: key) }
    heap.set(at(10), for: 0)
    #expect(heap.first?.key == 1)
    heap.set(at(-1), for: 4)
    #expect(heap.first?.key == 4)
    heap.set(nil, for: 4)
    heap.set(nil, for: 4)
    heap.set(nil, for: 100)
    #expect(heap.first?.key == 1)
  }

  @Test("It agrees with a sorted list, whatever is done to it", arguments: 1...5)
  func model(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var heap = DeadlineHeap()
    var model = [Int64?](repeating: nil, count: 40)
    var isRight = true
    for _ in 0..<4_000 {
      let key = Int.random(in: 0..<model.count, using: &generator)
      let deadline: Int64? =
        Int.random(in: 0..<4, using: &generator) == 0
        ? nil : Int64.random(in: 0..<30, using: &generator)
      model[key] = deadline
      heap.set(deadline.map { at($0) }, for: key)
      let expected = model.indices.filter { model[$0] != nil }
        .min { (model[$0] ?? 0, $0) < (model[$1] ?? 0, $1) }
      isRight = isRight && heap.first?.key == expected && heap.isEmpty == (expected == nil)
    }
    #expect(isRight, "seed \(seed)")
  }
}
