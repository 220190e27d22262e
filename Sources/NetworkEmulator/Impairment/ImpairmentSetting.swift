/// What is done to the datagrams of one process or host, apart for each direction.
///
/// Its text form is that of ``Impairment`` with a direction where it is not `out`:
/// `loss=20%`, `in:loss=20%`, `both:loss=20%,delay=40ms`, and, where the two differ,
/// `loss=20%,in:loss=5%,delay=10ms`; a direction holds up to the next one.
public struct ImpairmentSetting: Hashable, Sendable {
  /// A direction of travel, seen from the process. The raw value is the number of its link, so
  /// that the two never share fates even though they share a seed.
  public enum Direction: UInt32, Hashable, Sendable, CaseIterable {
    case outgoing = 0
    case incoming = 1
  }

  /// Done to what this process sends.
  public var outgoing: Impairment
  /// Done to what this process receives.
  public var incoming: Impairment

  /// A setting that passes everything on at once.
  public static let none = ImpairmentSetting()

  public init(outgoing: Impairment = .none, incoming: Impairment = .none) {
    self.outgoing = outgoing
    self.incoming = incoming
  }

  public subscript(direction: Direction) -> Impairment {
    get { direction == .outgoing ? outgoing : incoming }
    set {
      switch direction {
      case .outgoing: outgoing = newValue
      case .incoming: incoming = newValue
      }
    }
  }

  /// The link of one direction, to be put in front of a socket; `nil` where that direction passes
  /// everything on at once, so that nothing need stand in its way.
  ///
  /// - Parameters:
  ///   - items: the type of what the link carries.
  ///   - seed: the seed for an impairment that has none of its own.
  public func link<Item>(
    _ direction: Direction, carrying items: Item.Type, seed: UInt64
  ) -> EmulatedLink<Item>? {
    let impairment = self[direction]
    guard !impairment.isTransparent else { return nil }
    return EmulatedLink(impairment: impairment, seed: seed, link: direction.rawValue)
  }
}
