/// What a sender asks of the way to the receiver.
///
/// Order and completeness are guaranteed for each channel and kind of its own: two messages of
/// different kinds, or on different channels, may overtake each other.
public enum Delivery: UInt8, Hashable, Sendable, CaseIterable {
  /// May be lost or reordered; never arrives twice.
  case unreliable = 0
  /// May be lost; what is older than the newest delivered is dropped, so it never runs backwards.
  case sequenced = 1
  /// Arrives once, in any order.
  case reliable = 2
  /// Arrives once, in the order in which it was sent on its channel.
  case ordered = 3

  /// Whether every message arrives as long as the peer does.
  public var isReliable: Bool { self == .reliable || self == .ordered }

  /// Whether what was asked for as `other` may be given as this.
  public func satisfies(_ other: Delivery) -> Bool {
    switch other {
    case .unreliable: true
    case .sequenced: self == .sequenced || self == .ordered
    case .reliable: isReliable
    case .ordered: self == .ordered
    }
  }
}
