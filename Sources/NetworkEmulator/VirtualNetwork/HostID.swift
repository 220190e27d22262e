/// A host of a ``VirtualNetwork``. Numbers count from 0 in the order of adding and are not reused.
public struct HostID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int

  init(_ number: Int) {
    self.number = number
  }

  public var description: String { "host \(number)" }

  public static func < (left: HostID, right: HostID) -> Bool { left.number < right.number }
}
