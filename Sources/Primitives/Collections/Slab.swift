/// Values in places that never move, each known by a small number: a value is changed where it
/// lies, and looking at one copies nothing.
///
/// The memory comes in pages and is used again; a table of a few values and one of thousands cost
/// what is in them. Everything is inlinable: without that, other modules run it unspecialised, and
/// each look costs tens of nanoseconds.
@safe public struct Slab<Element: ~Copyable>: ~Copyable {
  @usableFromInline static var pageSize: Int { 32 }

  @usableFromInline var pages: [UnsafeMutablePointer<Element>] = unsafe []
  @usableFromInline var occupied: [Bool] = []
  @usableFromInline var free: [Int] = []

  @inlinable public init() {}

  @inlinable
  deinit {
    for slot in occupied.indices where occupied[slot] {
      unsafe place(slot).deinitialize(count: 1)
    }
    var index = 0
    while unsafe index < pages.count {
      unsafe pages[index].deallocate()
      index += 1
    }
  }

  /// All slots are below this; some may be empty.
  @inlinable public var slotCount: Int { occupied.count }

  /// All slots, some of which may be empty.
  @inlinable public var slots: Range<Int> { 0..<occupied.count }

  /// How many values there are.
  @inlinable public var count: Int { occupied.count - free.count }

  @inlinable
  public func contains(_ slot: Int) -> Bool {
    slot >= 0 && slot < occupied.count && occupied[slot]
  }

  /// Puts a value into a free slot and returns which.
  @inlinable
  public mutating func insert(_ element: consuming Element) -> Int {
    let slot = free.popLast() ?? occupied.count
    if slot == occupied.count {
      if unsafe slot == pages.count * Self.pageSize {
        unsafe pages.append(.allocate(capacity: Self.pageSize))
      }
      occupied.append(false)
    }
    unsafe place(slot).initialize(to: element)
    occupied[slot] = true
    return slot
  }

  /// Empties a slot.
  @inlinable
  public mutating func remove(_ slot: Int) {
    precondition(contains(slot), "there is a value in slot \(slot)")
    unsafe place(slot).deinitialize(count: 1)
    occupied[slot] = false
    free.append(slot)
  }

  @inlinable
  public subscript(slot: Int) -> Element {
    unsafeAddress {
      precondition(contains(slot), "there is no value in this slot")
      return unsafe UnsafePointer(place(slot))
    }
    unsafeMutableAddress {
      precondition(contains(slot), "there is no value in this slot")
      return unsafe place(slot)
    }
  }

  @inlinable
  func place(_ slot: Int) -> UnsafeMutablePointer<Element> {
    unsafe pages[slot / Self.pageSize] + slot % Self.pageSize
  }
}

extension Slab: @unchecked Sendable where Element: Sendable & ~Copyable {}
