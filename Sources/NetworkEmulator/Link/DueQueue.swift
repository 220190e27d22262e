import Primitives

/// What is under way, in the order in which it is due; what is due at the same time keeps the
/// order in which it was put in.
///
/// The heap holds only times and places, since moving whole items up and down it costs more than
/// finding them through one index.
struct DueQueue<Item> {
  private var heap = PriorityQueue<Instant, Int>()
  private var items: [Item?] = []
  private var freePlaces: [Int] = []

  var count: Int { heap.count }

  /// When the first item is due.
  var deadline: Instant? { heap.firstPriority }

  mutating func insert(_ item: Item, due: Instant) {
    if let place = freePlaces.popLast() {
      items[place] = item
      heap.insert(place, priority: due)
    } else {
      heap.insert(items.count, priority: due)
      items.append(item)
    }
  }

  mutating func popFirst() -> Item? {
    guard let place = heap.popFirst() else { return nil }
    freePlaces.append(place)
    return items[place].take()
  }
}

extension DueQueue: Sendable where Item: Sendable {}
