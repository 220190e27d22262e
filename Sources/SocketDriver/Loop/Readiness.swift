import CSockets

/// What a descriptor is ready for, or what one wants to hear of.
public struct Readiness: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// There is something to read, or the end of it.
  public static let readable = Readiness(rawValue: UInt32(PATTER_READABLE))
  /// There is room to write.
  public static let writable = Readiness(rawValue: UInt32(PATTER_WRITABLE))
  /// The other end hung up, or there is an error; reading tells which. Told along with any other
  /// interest, whether asked for or not.
  public static let closed = Readiness(rawValue: UInt32(PATTER_CLOSED))
}
