public import Primitives

/// One direction of a link: what is offered at one end comes out at the other later, or twice, or
/// in another order, or not at all.
///
/// How to drive it: `offer` each datagram; then, and whenever `deadline` has come, take everything
/// from `nextDue` until it returns `nil`; then wait until `deadline`. A link that does nothing has
/// its datagrams due at once. Given the same calls, a link gives the same answers, bit for bit.
public struct EmulatedLink<Item> {
  /// The largest number of datagrams that may be under way; what comes on top is dropped and
  /// counted as `overflowed`. It bounds memory and stands for no property of a network: a link of
  /// 100 ms reaches the default of 16,384 at 160,000 datagrams a second.
  public let capacity: Int

  private var model: LinkModel
  private var underWay = DueQueue<Item>()

  public static var defaultCapacity: Int { 16_384 }

  /// Creates an empty link.
  ///
  /// - Parameters:
  ///   - seed: the seed for an impairment that has none of its own.
  ///   - link: the number by which links with the same seed have fates of their own.
  ///   - capacity: the largest number of datagrams that may be under way.
  public init(
    impairment: Impairment, seed: UInt64, link: UInt32 = 0, capacity: Int = Self.defaultCapacity
  ) {
    precondition(capacity > 0, "a link without room carries nothing")
    self.capacity = capacity
    model = LinkModel(impairment: impairment, seed: seed, link: link)
  }

  /// Sends a datagram over the link. Poll `nextDue` and `deadline` afterwards.
  ///
  /// - Parameters:
  ///   - item: the datagram, in whatever form the owner wants it back.
  ///   - size: the number of its bytes.
  ///   - flow: the number of the flow it belongs to: flows have fates of their own, by their own
  ///     count of datagrams, and order is kept only within one. Flows are numbered by their role.
  ///     64 are told apart; all others count as one.
  public mutating func offer(_ item: Item, size: Int, flow: UInt32 = 0, at now: Instant) {
    let fate = model.decide(size: size, flow: flow, at: now)
    if let arrival = fate.arrival { insert(item, due: arrival) }
    if let arrival = fate.duplicateArrival { insert(item, due: arrival) }
  }

  /// The next datagram that has arrived by `now`, or `nil` where there is no more.
  public mutating func nextDue(at now: Instant) -> Item? {
    guard let deadline, deadline <= now else { return nil }
    model.statistics.delivered += 1
    return underWay.popFirst()
  }

  /// When the next datagram arrives; `nil` where none is under way.
  public var deadline: Instant? { underWay.deadline }

  /// How many datagrams are under way, copies included.
  public var count: Int { underWay.count }

  public var statistics: LinkStatistics { model.statistics }

  /// What the link does. It may be changed at any time: what is under way keeps its fate.
  public var impairment: Impairment {
    get { model.impairment }
    set { model.impairment = newValue }
  }

  private mutating func insert(_ item: Item, due: Instant) {
    guard underWay.count < capacity else {
      model.statistics.overflowed += 1
      return
    }
    underWay.insert(item, due: due)
  }
}

extension EmulatedLink: Sendable where Item: Sendable {}
