/// First in, first out, with constant cost at both ends; storage is reused.
public struct Queue<Element> {
  private var storage: [Element?] = []
  private var head = 0
  public private(set) var count = 0

  public init() {}

  public var isEmpty: Bool { count == 0 }

  public var first: Element? { isEmpty ? nil : storage[head] }

  public mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  @discardableResult
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return element
  }

  public mutating func removeAll() {
    self = Queue()
  }

  /// The element `offset` places behind the first.
  public subscript(offset: Int) -> Element {
    get {
      precondition(offset >= 0 && offset < count, "offset \(offset) of \(count)")
      guard let element = storage[(head + offset) & (storage.count - 1)] else {
        preconditionFailure("a place within the queue is filled")
      }
      return element
    }
    set {
      precondition(offset >= 0 && offset < count, "offset \(offset) of \(count)")
      storage[(head + offset) & (storage.count - 1)] = newValue
    }
  }

  private mutating func grow() {
    // The capacity stays a power of two, so that an index wraps with a mask.
    var larger: [Element?] = []
    larger.reserveCapacity(max(8, storage.count * 2))
    for offset in 0..<count { larger.append(storage[(head + offset) & (storage.count - 1)]) }
    larger.append(contentsOf: repeatElement(nil, count: max(8, storage.count * 2) - count))
    storage = larger
    head = 0
  }
}

extension Queue: Sendable where Element: Sendable {}
