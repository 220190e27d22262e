/// Deadlines of many things, each known by a small number: the earliest is at hand, and each can
/// be moved in place, so that nothing stale is ever left behind.
public struct DeadlineHeap: Sendable {
  private struct Entry {
    var deadline: Instant
    var key: Int
  }

  private var heap: [Entry] = []
  /// Where each key stands in the heap; -1 where it has no deadline.
  private var positions: [Int] = []

  public init() {}

  public var isEmpty: Bool { heap.isEmpty }

  /// The earliest deadline and whose it is; the smaller key where two are equal.
  public var first: (key: Int, deadline: Instant)? {
    heap.first.map { (key: $0.key, deadline: $0.deadline) }
  }

  /// Sets, moves or, with `nil`, removes the deadline of `key`, which is not negative.
  public mutating func set(_ deadline: Instant?, for key: Int) {
    precondition(key >= 0, "keys are not negative")
    while positions.count <= key { positions.append(-1) }
    let position = positions[key]
    guard let deadline else {
      if position >= 0 { remove(at: position) }
      return
    }
    if position < 0 {
      heap.append(Entry(deadline: deadline, key: key))
      positions[key] = heap.count - 1
      moveUp(from: heap.count - 1)
    } else if heap[position].deadline != deadline {
      heap[position].deadline = deadline
      moveUp(from: position)
      moveDown(from: positions[key])
    }
  }

  private mutating func remove(at position: Int) {
    positions[heap[position].key] = -1
    guard let last = heap.popLast(), position < heap.count else { return }
    heap[position] = last
    positions[last.key] = position
    moveUp(from: position)
    moveDown(from: positions[last.key])
  }

  private mutating func moveUp(from start: Int) {
    var child = start
    while child > 0, precedes(child, (child - 1) / 2) {
      swap(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func moveDown(from start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
        if precedes(child, least) { least = child }
      }
      guard least != parent else { return }
      swap(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].deadline, heap[left].key) < (heap[right].deadline, heap[right].key)
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    positions[heap[left].key] = left
    positions[heap[right].key] = right
  }
}
