import Primitives
import Testing

struct SlabTests {
  /// Counts what is alive of it.
  private final class Token {
    let counter: Counter
    init(_ counter: Counter) {
      self.counter = counter
      counter.count += 1
    }
    deinit { counter.count -= 1 }
  }

  private final class Counter { var count = 0 }

  @Test("A value keeps its slot, and a slot that is free is used again")
  func slots() {
    var slab = Slab<Int>()
    let slots = (0..<100).map { slab.insert($0 * 10) }
    #expect(slots == Array(0..<100) && slab.count == 100 && slab.slotCount == 100)
    slab.remove(40)
    #expect(!slab.contains(40) && slab.count == 99)
    #expect(slab[41] == 410)
    #expect(slab.insert(7) == 40)
    #expect(slab[40] == 7 && slab.slotCount == 100)
  }

  @Test("A value is changed where it lies")
  func changes() {
    var slab = Slab<[Int]>()
    let slot = slab.insert([1])
    slab[slot].append(2)
    #expect(slab[slot] == [1, 2])
  }

  @Test("No slot is there that was not filled")
  func missing() {
    var slab = Slab<Int>()
    #expect(!slab.contains(0) && !slab.contains(-1))
    _ = slab.insert(1)
    #expect(slab.contains(0) && !slab.contains(1))
  }

  @Test("What is removed is let go at once, and all else with the slab")
  func lifetimes() {
    let counter = Counter()
    do {
      var slab = Slab<Token>()
      for _ in 0..<70 { _ = slab.insert(Token(counter)) }
      slab.remove(3)
      slab.remove(69)
      #expect(counter.count == 68)
      _ = slab.insert(Token(counter))
      #expect(counter.count == 69)
    }
    #expect(counter.count == 0)
  }
}
