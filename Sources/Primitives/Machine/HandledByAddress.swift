/// Part of a large value that is changed where it lies, and not to be copied on the way.
///
/// For each call of a method that only reads, the compiler (Swift 6.3) copies a value to the stack,
/// bit by bit, because it might have passed it in registers; that a type is `~Copyable` changes
/// nothing. A connection of 2.6 KB was copied several times for each packet, which took a third of
/// all time. An existential, of whatever value, can only be passed by its address, and so can all
/// that has one inside.
public struct HandledByAddress: Sendable {
  private let nothing: (any Sendable)? = nil

  public init() {}
}
