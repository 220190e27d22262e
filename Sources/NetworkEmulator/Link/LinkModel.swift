public import Primitives

/// One direction of a link without what is under way: it says when each datagram arrives.
///
/// ``EmulatedLink`` puts a queue behind it, and ``VirtualNetwork`` one queue behind many.
public struct LinkModel: Sendable {
  /// When a datagram arrives, and when its copy does.
  public struct Fate: Hashable, Sendable {
    /// `nil` where it is lost, or the queue was full.
    public var arrival: Instant?
    /// `nil` where there is no copy. A lost datagram has none.
    public var duplicateArrival: Instant?
    /// Whether it is sent out of turn.
    public var isReordered = false
    /// Whether it did not get in at the bottleneck.
    public var isQueueFull = false
  }

  /// What the link does. It may be changed at any time: what is under way keeps its fate, and the
  /// indices of the flows go on.
  public var impairment: Impairment {
    didSet {
      fates = FateSource(seed: impairment.seed ?? seed)
      bursts = Self.bursts(of: impairment)
    }
  }

  /// What was decided so far; `overflowed` and `delivered` are for the owner to count.
  public var statistics = LinkStatistics()

  private let seed: UInt64
  private let link: UInt32
  private var fates: FateSource
  private var flows = FlowTable()
  private var bursts: BurstTimeline?
  private var bottleneck = Bottleneck()
  /// When the first datagram was offered, from which bursts count their time.
  private var origin: Instant?

  /// Creates a link on which nothing was sent yet.
  ///
  /// - Parameters:
  ///   - seed: the seed for an impairment that has none of its own.
  ///   - link: the number by which links with the same seed have fates of their own.
  public init(impairment: Impairment, seed: UInt64, link: UInt32) {
    self.impairment = impairment
    self.seed = seed
    self.link = link
    fates = FateSource(seed: impairment.seed ?? seed)
    bursts = Self.bursts(of: impairment)
  }

  private static func bursts(of impairment: Impairment) -> BurstTimeline? {
    guard impairment.burst > .zero, impairment.loss > 0, impairment.loss < 1 else { return nil }
    return BurstTimeline(share: impairment.loss, mean: impairment.burst)
  }

  /// Decides about the next datagram of `flow`, which has `size` bytes and is sent at `now`.
  public mutating func decide(size: Int, flow: UInt32, at now: Instant) -> Fate {
    statistics.offered += 1
    statistics.offeredBytes += size
    let start = origin ?? now
    origin = start
    let place = flows.place(of: flow)
    let index = flows[place].count
    flows[place].count += 1
    let key = FateKey(fates: fates, link: link, flow: flows[place].number, index: index)

    guard let departure = bottleneck.pass(size, of: impairment, at: now) else {
      statistics.queueDropped += 1
      return Fate(isQueueFull: true)
    }
    if isLost(key, after: now - start) {
      statistics.lost += 1
      return Fate()
    }
    var fate = Fate(isReordered: key.meets(impairment.reorder, for: .reordering))
    if fate.isReordered { statistics.reordered += 1 }
    let arrival = arrival(
      key: key, place: place, keepingTurn: !fate.isReordered, at: departure)
    fate.arrival = arrival
    if key.meets(impairment.duplicate, for: .duplication) {
      statistics.duplicated += 1
      let gap = key.unit(.duplicateGap) * Double(Impairment.duplicateGap.nanoseconds)
      fate.duplicateArrival = arrival + .nanoseconds(Int64(gap))
    }
    return fate
  }

  private mutating func isLost(_ key: FateKey, after elapsed: Interval) -> Bool {
    guard bursts != nil else { return key.meets(impairment.loss, for: .loss) }
    return bursts?.isBad(after: elapsed, fates: fates, link: link) ?? false
  }

  /// When a datagram arrives that begins its travel `now`.
  private mutating func arrival(
    key: FateKey, place: Int, keepingTurn: Bool, at now: Instant
  ) -> Instant {
    var travel = impairment.delay
    if impairment.jitter > .zero {
      let deviation = (2 * key.unit(.delayJitter) - 1) * Double(impairment.jitter.nanoseconds)
      travel = max(.zero, travel + .nanoseconds(Int64(deviation)))
    }
    if !keepingTurn {
      return impairment.delay > .zero ? now : now + travel + Impairment.reorderGap
    }
    // The order is kept within a flow and not across the link, so that no flow's times depend on
    // what another sends.
    let arrival = max(now + travel, flows[place].lastArrival)
    flows[place].lastArrival = arrival
    return arrival
  }
}

/// Names one datagram to the source of fates.
private struct FateKey {
  let fates: FateSource
  let link: UInt32
  let flow: UInt32
  let index: UInt64

  func unit(_ purpose: FateSource.Purpose) -> Double {
    fates.unit(purpose: purpose, link: link, flow: flow, index: index)
  }

  func meets(_ probability: Double, for purpose: FateSource.Purpose) -> Bool {
    probability > 0 && unit(purpose) < probability
  }
}
