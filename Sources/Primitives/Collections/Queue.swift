/// First in, first out, with constant cost at both ends; storage is reused.
///
/// Everything is inlinable: without that, other modules run it unspecialised, at many times the
/// cost.
public struct Queue<Element> {
  @usableFromInline var storage: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline var filled = 0

  @inlinable public init() {}

  @inlinable public var count: Int { filled }

  @inlinable public var isEmpty: Bool { count == 0 }

  @inlinable public var first: Element? { isEmpty ? nil : storage[head] }

  @inlinable
  public mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head + count) & (storage.count - 1)] = element
    filled += 1
  }

  @discardableResult
  @inlinable
  public mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head + 1) & (storage.count - 1)
    filled -= 1
    return element
  }

  @inlinable
  public mutating func removeAll() {
    self = Queue()
  }

  /// The element `offset` places behind the first.
  public subscript(offset: Int) -> Element {
    @inlinable
    get {
      precondition(offset >= 0 && offset < count, "offset \(offset) of \(count)")
      guard let element = storage[(head + offset) & (storage.count - 1)] else {
        preconditionFailure("a place within the queue is filled")
      }
      return element
    }
    @inlinable
    set {
      precondition(offset >= 0 && offset < count, "offset \(offset) of \(count)")
      storage[(head + offset) & (storage.count - 1)] = newValue
    }
  }

  @inlinable
  mutating func grow() {
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
