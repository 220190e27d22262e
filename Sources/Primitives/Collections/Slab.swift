/// Values in places that never move, each known by a small number: a value is changed where it
/// lies, and looking at one copies nothing.
///
/// The memory comes in pages and is used again; a table of a few values and one of thousands cost
/// what is in them.
@safe public struct Slab<Element>: ~Copyable {
  private static var pageSize: Int { 32 }

  private var pages: [UnsafeMutablePointer<Element>] = unsafe []
  private var occupied: [Bool] = []
  private var free: [Int] = []

  public init() {}

  deinit {
    for slot in occupied.indices where occupied[slot] {
      unsafe place(slot).deinitialize(count: 1)
    }
    for unsafe page in unsafe pages { unsafe page.deallocate() }
  }

  /// All slots are below this; some may be empty.
  public var slotCount: Int { occupied.count }

  /// How many values there are.
  public var count: Int { occupied.count - free.count }

  public func contains(_ slot: Int) -> Bool {
    slot >= 0 && slot < occupied.count && occupied[slot]
  }

  /// Puts a value into a free slot and returns which.
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
  public mutating func remove(_ slot: Int) {
    precondition(contains(slot), "there is a value in slot \(slot)")
    unsafe place(slot).deinitialize(count: 1)
    occupied[slot] = false
    free.append(slot)
  }

  public subscript(slot: Int) -> Element {
    unsafeAddress {
      precondition(contains(slot), "there is a value in slot \(slot)")
      return unsafe UnsafePointer(place(slot))
    }
    unsafeMutableAddress {
      precondition(contains(slot), "there is a value in slot \(slot)")
      return unsafe place(slot)
    }
  }

  private func place(_ slot: Int) -> UnsafeMutablePointer<Element> {
    unsafe pages[slot / Self.pageSize] + slot % Self.pageSize
  }
}

extension Slab: @unchecked Sendable where Element: Sendable {}
