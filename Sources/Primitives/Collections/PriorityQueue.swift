/// A binary heap: the least element first, in the order of insertion where two are equal, so that
/// a run repeats exactly.
public struct PriorityQueue<Priority: Comparable, Element> {
  fileprivate struct Entry {
    let priority: Priority
    let order: UInt64
    let element: Element
  }

  private var heap: [Entry] = []
  private var nextOrder: UInt64 = 0

  public init() {}

  public var isEmpty: Bool { heap.isEmpty }
  public var count: Int { heap.count }

  /// The least priority, and with it what `popFirst` would return next.
  public var firstPriority: Priority? { heap.first?.priority }
  public var first: Element? { heap.first?.element }

  public mutating func insert(_ element: Element, priority: Priority) {
    heap.append(Entry(priority: priority, order: nextOrder, element: element))
    nextOrder &+= 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  @discardableResult
  public mutating func popFirst() -> Element? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first.element }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
        if precedes(child, least) { least = child }
      }
      guard least != parent else { break }
      heap.swapAt(least, parent)
      parent = least
    }
    return first.element
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    return a.priority == b.priority ? a.order < b.order : a.priority < b.priority
  }
}

extension PriorityQueue.Entry: Sendable where Priority: Sendable, Element: Sendable {}
extension PriorityQueue: Sendable where Priority: Sendable, Element: Sendable {}
