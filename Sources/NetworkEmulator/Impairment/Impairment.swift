public import Primitives

/// What a link does to the datagrams that cross it in one direction, as a value.
///
/// Its text form is `loss=20%,burst=50ms,delay=40ms,jitter=10ms,rate=10mbit,queue=50ms,`
/// `duplicate=1%,reorder=2%,seed=7`, each part where it is wanted; see ``init(parsing:)``.
/// Probabilities are from 0 to 1, times from 0 to ``maximumTime`` and rates from 0 to
/// ``maximumRate``; the properties refuse anything else, and the parser never gets that far.
public struct Impairment: Hashable, Sendable {
  /// The probability that a datagram is lost, independently of all others; with a ``burst`` the
  /// share of the time in which everything is lost.
  public var loss: Double { didSet { Self.check(loss) } }

  /// How long losses last at a time, on average, where they come in bursts; zero where each
  /// datagram is lost by itself.
  ///
  /// Bursts and the times between them take turns and last exponentially distributed times: with a
  /// loss of 10 % and bursts of 50 ms the times between are 450 ms on average. Bursts are those of
  /// the link and meet all its flows.
  public var burst: Interval { didSet { Self.check(burst) } }

  /// How long a datagram is under way, one way.
  public var delay: Interval { didSet { Self.check(delay) } }

  /// By how much the delay varies: uniformly from `delay - jitter` to `delay + jitter`, though
  /// never below zero.
  ///
  /// The order of a flow is kept: a datagram whose predecessor was slower waits for it. Where
  /// datagrams follow each other faster than the jitter, they therefore bunch together, and the
  /// mean delay lies above `delay`.
  public var jitter: Interval { didSet { Self.check(jitter) } }

  /// Bits a second that the link carries, those of datagrams as they are offered; zero for as many
  /// as come. What the link loses has passed this bottleneck before it gets lost.
  public var rate: Int { didSet { Self.check(rate: rate) } }

  /// For how long a datagram may have to wait for those before it: one that would wait for longer
  /// is dropped and counted apart from losses. `nil` stands for 100 ms, or the time that 32
  /// datagrams of 1,500 bytes take where that is longer. Without a ``rate`` nothing waits.
  public var queue: Interval? { didSet { if let queue { Self.check(queue) } } }

  /// The probability that a datagram which is not lost arrives a second time, up to
  /// ``duplicateGap`` after the first. The copy delays nothing behind it, so it may well come
  /// after later datagrams. It is not lost and not copied again.
  public var duplicate: Double { didSet { Self.check(duplicate) } }

  /// The probability that a datagram which is not lost travels out of turn.
  ///
  /// With a `delay` it is sent without any, and overtakes all of its flow that is under way.
  /// Without one there is nothing to overtake: it is held back by ``reorderGap`` instead, and is
  /// overtaken by what follows it within that time.
  public var reorder: Double { didSet { Self.check(reorder) } }

  /// The seed of all fates on the link; `nil` leaves it to whoever runs the link.
  public var seed: UInt64?

  /// The longest delay and the largest jitter: one hour.
  public static let maximumTime = Interval.seconds(3_600)

  /// The largest rate: a terabit a second.
  public static let maximumRate = 1_000_000_000_000

  /// A duplicate arrives uniformly between 0 and this after the original.
  public static let duplicateGap = Interval.milliseconds(10)

  /// How long a datagram that is to be reordered is held back where there is no delay.
  public static let reorderGap = Interval.milliseconds(10)

  /// A link that passes everything on at once.
  public static let none = Impairment()

  public init(
    loss: Double = 0, burst: Interval = .zero, delay: Interval = .zero, jitter: Interval = .zero,
    rate: Int = 0, queue: Interval? = nil, duplicate: Double = 0, reorder: Double = 0,
    seed: UInt64? = nil
  ) {
    for probability in [loss, duplicate, reorder] { Self.check(probability) }
    for time in [burst, delay, jitter, queue ?? .zero] { Self.check(time) }
    Self.check(rate: rate)
    self.loss = loss
    self.burst = burst
    self.delay = delay
    self.jitter = jitter
    self.rate = rate
    self.queue = queue
    self.duplicate = duplicate
    self.reorder = reorder
    self.seed = seed
  }

  /// Whether everything passes at once and once, whatever the seed.
  public var isTransparent: Bool {
    loss == 0 && delay == .zero && jitter == .zero && rate == 0 && duplicate == 0 && reorder == 0
  }

  /// How long a datagram of `size` bytes takes to pass the bottleneck.
  func transmissionTime(of size: Int) -> Interval {
    guard rate > 0 else { return .zero }
    let nanoseconds = Double(size) * 8e9 / Double(rate)
    return .nanoseconds(Int64(nanoseconds.rounded(.up)))
  }

  /// What waits for longer than this is dropped.
  var longestWait: Interval {
    queue ?? max(.milliseconds(100), transmissionTime(of: 32 * 1_500))
  }

  private static func check(_ probability: Double) {
    precondition(probability >= 0 && probability <= 1, "a probability lies between 0 and 1")
  }

  private static func check(_ time: Interval) {
    precondition(time >= .zero && time <= maximumTime, "a time lies between 0 and one hour")
  }

  private static func check(rate: Int) {
    precondition(rate >= 0 && rate <= maximumRate, "a rate lies between 0 and a terabit a second")
  }
}
