public import Workloads

/// One case at one rate, over all its runs.
public struct FairnessCell: Sendable {
  public let sharing: FairnessCase
  /// Of the bottleneck, in bits a second.
  public let rate: Int
  public private(set) var runs = 0
  /// Bits of payload a second of each member, in the order of the case, one for each run.
  private var goodputs: [[Double]]
  /// Of the messages of games, in nanoseconds, where there are any.
  public private(set) var latencies = Samples()
  public private(set) var expected = 0
  /// Packets that were dropped by the bottleneck and all that came to it.
  private var dropped = 0.0
  private var offered = 0.0
  /// The 99th percentile of the wire's lateness in the worst run, in microseconds.
  public private(set) var lateness = 0.0
  /// Packets that the wire dropped by itself.
  public private(set) var drops = 0

  init(_ sharing: FairnessCase, rate: Int) {
    self.sharing = sharing
    self.rate = rate
    goodputs = sharing.members.map { _ in [] }
  }

  /// Bits of payload a second of a member: the median of all runs.
  public func goodput(of member: Int) -> Double { median(goodputs[member]) ?? .nan }

  /// The smallest and the largest of all runs.
  public func range(of member: Int) -> ClosedRange<Double> {
    (goodputs[member].min() ?? 0)...(goodputs[member].max() ?? 0)
  }

  /// What a member has of all the payload that was carried.
  public func share(of member: Int) -> Double {
    let all = sharing.members.indices.map { goodput(of: $0) }.reduce(0, +)
    return all > 0 ? goodput(of: member) / all : 0
  }

  /// Jain's index of the shares of those who would all like to have everything: 1 where they are
  /// alike, and 1 / n where one of n has it all. `nil` where there are less than two.
  public var fairness: Double? {
    let greedy = sharing.members.indices.filter { index in
      if case .games = sharing.members[index] { return false }
      return true
    }
    guard greedy.count > 1 else { return nil }
    return jainIndex(greedy.map { goodput(of: $0) })
  }

  public var dropRate: Double { offered > 0 ? dropped / offered : 0 }

  public var isTrustworthy: Bool {
    runs > 0 && lateness <= LossCell.tolerableLateness && drops == 0
  }

  /// Adds what a run told: a rate for each member and samples of the games.
  mutating func add(
    goodputs: [Double], samples: [Double], expected: Int, wire: FlatJSON
  ) {
    runs += 1
    for (index, goodput) in goodputs.enumerated() { self.goodputs[index].append(goodput) }
    latencies.append(contentsOf: Samples(samples.map { UInt64($0) * 1_000 }))
    self.expected += expected
    dropped += wire.number("queue_full") ?? 0
    offered += wire.number("packets") ?? 0
    lateness = max(lateness, wire.number("late_p99_us") ?? 0)
    for name in ["overflowed", "queue_drops", "refused"] { drops += Int(wire.number(name) ?? 0) }
  }
}

/// How alike values are: 1 where all are the same, 1 / n where one of n is all there is (R. Jain,
/// D. Chiu and W. Hawe, "A Quantitative Measure of Fairness", 1984).
func jainIndex(_ values: [Double]) -> Double {
  let sum = values.reduce(0, +)
  let squares = values.reduce(0) { $0 + $1 * $1 }
  return squares > 0 ? sum * sum / (Double(values.count) * squares) : 1
}
