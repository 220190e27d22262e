/// A binary heap: the least element first, in the order of insertion where two are equal, so that
/// a run repeats exactly.
///
/// Everything is inlinable: without that other modules run it unspecialised, which costs
/// microseconds for each element instead of nanoseconds.
public struct PriorityQueue<Priority: Comparable, Element> {
  @usableFromInline
  struct Entry {
    @usableFromInline let priority: Priority
    @usableFromInline let order: UInt64
    @usableFromInline let element: Element

    @inlinable
    init(priority: Priority, order: UInt64, element: Element) {
      self.priority = priority
      self.order = order
      self.element = element
    }
  }

  @usableFromInline var heap: [Entry] = []
  @usableFromInline var nextOrder: UInt64 = 0

  @inlinable public init() {}

  @inlinable public var isEmpty: Bool { heap.isEmpty }
  @inlinable public var count: Int { heap.count }

  /// The least priority, and with it what `popFirst` would return next.
  @inlinable public var firstPriority: Priority? { heap.first?.priority }
  @inlinable public var first: Element? { heap.first?.element }

  @inlinable
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
  @inlinable
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

  @inlinable
  func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    return a.priority == b.priority ? a.order < b.order : a.priority < b.priority
  }
}

extension PriorityQueue.Entry: Sendable where Priority: Sendable, Element: Sendable {}
extension PriorityQueue: Sendable where Priority: Sendable, Element: Sendable {}
