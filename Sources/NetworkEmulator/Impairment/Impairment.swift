public import Primitives

/// What a link does to the datagrams that cross it in one direction, as a value.
///
/// Its text form is `loss=20%,delay=40ms,jitter=10ms,duplicate=1%,reorder=2%,seed=7`, each part
/// where it is wanted; see ``init(parsing:)``. Probabilities are from 0 to 1 and times from 0 to
/// ``maximumTime``; the properties refuse anything else, and the parser never gets that far.
public struct Impairment: Hashable, Sendable {
  /// The probability that a datagram is lost, independently of all others.
  public var loss: Double { didSet { Self.check(loss) } }

  /// How long a datagram is under way, one way.
  public var delay: Interval { didSet { Self.check(delay) } }

  /// By how much the delay varies: uniformly from `delay - jitter` to `delay + jitter`, though
  /// never below zero.
  ///
  /// The order of a flow is kept: a datagram whose predecessor was slower waits for it. Where
  /// datagrams follow each other faster than the jitter, they therefore bunch together, and the
  /// mean delay lies above `delay`.
  public var jitter: Interval { didSet { Self.check(jitter) } }

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

  /// A duplicate arrives uniformly between 0 and this after the original.
  public static let duplicateGap = Interval.milliseconds(10)

  /// How long a datagram that is to be reordered is held back where there is no delay.
  public static let reorderGap = Interval.milliseconds(10)

  /// A link that passes everything on at once.
  public static let none = Impairment()

  public init(
    loss: Double = 0, delay: Interval = .zero, jitter: Interval = .zero, duplicate: Double = 0,
    reorder: Double = 0, seed: UInt64? = nil
  ) {
    for probability in [loss, duplicate, reorder] { Self.check(probability) }
    for time in [delay, jitter] { Self.check(time) }
    self.loss = loss
    self.delay = delay
    self.jitter = jitter
    self.duplicate = duplicate
    self.reorder = reorder
    self.seed = seed
  }

  /// Whether everything passes at once and once, whatever the seed.
  public var isTransparent: Bool {
    loss == 0 && delay == .zero && jitter == .zero && duplicate == 0 && reorder == 0
  }

  private static func check(_ probability: Double) {
    precondition(probability >= 0 && probability <= 1, "a probability lies between 0 and 1")
  }

  private static func check(_ time: Interval) {
    precondition(time >= .zero && time <= maximumTime, "a time lies between 0 and one hour")
  }
}
