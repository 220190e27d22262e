import Primitives

/// Decides for each packet with new messages what else it carries and whether copies follow.
///
/// The constants come from a model of a sender, a path and a receiver, which the tests run.
struct RedundancyController {
  private let handling = HandledByAddress()
  /// What a packet with new messages is to carry besides them.
  struct Plan: Equatable {
    /// In how many further packets a message rides: 0 for no rides, `Int.max` for all until it is
    /// acknowledged.
    var sends: Int
    /// How many bytes of the packet may be rides.
    var byteBudget: Int
    /// What is to follow on its own.
    var copies: EarlyCopies

    static let nothing = Plan(sends: 0, byteBudget: 0, copies: .none)
  }

  let policy: Redundancy
  /// Copies that were asked for, whatever the loss.
  let copies: EarlyCopies
  private(set) var monitor = LossMonitor()
  /// Whether loss is high enough for means against it.
  private var isActive = false

  /// When new messages were sent last; the usual time between that, and the usual size, both over
  /// some eight packets.
  private var latestSend: Instant?
  private var interval: Interval?
  private var scaledFreshBytes = 0

  /// Adaptive means begin above the first and end below the second.
  static let beginRate = 0.025
  static let endRate = 0.012
  /// Above these rates messages ride in two packets and in four; for the latter also where the
  /// rate of the last second alone is far above it.
  static let twoSendsRate = 0.03
  static let fourSendsRate = 0.135
  static let fourSendsRateAtOnce = 0.2
  /// Above this rate, as in bursts, they ride until they are acknowledged.
  static let allSendsRate = 0.25
  /// The time between early copies, where losses do not last longer.
  static let shortSpacing = Interval.milliseconds(3)
  static let longSpacing = Interval.milliseconds(30)

  init(_ policy: Redundancy, copies: EarlyCopies = .none) {
    self.policy = policy
    self.copies = copies
  }

  /// Notes what became of a packet; see `LossMonitor.note`.
  mutating func note(sentAt: Instant, isLost: Bool) {
    guard case .adaptive = policy else { return }
    monitor.note(sentAt: sentAt, isLost: isLost)
    if isActive {
      isActive = monitor.rate >= Self.endRate
    } else {
      isActive = monitor.rate >= Self.beginRate
      if isActive { monitor.noteChange() }
    }
  }

  /// Asked once for each packet with new messages, of which there are `freshBytes`, before what is
  /// left of its `room` for frames is filled. `isLimited` says that more waits than may be sent.
  mutating func plan(
    freshBytes: Int, room: Int, isLimited: Bool, roundTrip: Interval, at now: Instant
  ) -> Plan {
    notePattern(freshBytes: freshBytes, at: now)
    // Bulk: the bytes are worth more as new ones, and the next packet comes at once.
    guard !isLimited, freshBytes <= room * 3 / 4, usualFreshBytes <= room * 3 / 4 else {
      return .nothing
    }
    let rest = room - freshBytes
    switch policy {
    case .none: return Plan(sends: 0, byteBudget: 0, copies: copies)
    case .upTo(let count):
      let sends = max(0, copies.count > 0 ? count - 1 : count)
      return Plan(sends: sends, byteBudget: rest, copies: copies)
    case .all: return Plan(sends: .max, byteBudget: rest, copies: copies)
    case .adaptive(let budget):
      return adaptivePlan(byteBudget: min(rest, max(0, budget)), roundTrip: roundTrip)
    }
  }

  /// Whether no further message is to be expected before a probe would notice a loss.
  func isSparse(roundTrip: Interval) -> Bool {
    guard let interval else { return true }
    return interval > max(.milliseconds(5), roundTrip * 3 / 2)
  }

  private func adaptivePlan(byteBudget: Int, roundTrip: Interval) -> Plan {
    guard isActive else { return Plan(sends: 0, byteBudget: 0, copies: copies) }
    if isSparse(roundTrip: roundTrip) {
      // What is still not acknowledged when the next message comes has waited long enough.
      return Plan(
        sends: .max, byteBudget: byteBudget, copies: copies.count > 0 ? copies : adaptiveCopies)
    }
    var wanted = wantedSends
    if copies.count > 0, wanted != .max { wanted = max(1, wanted / 2) }
    // The oldest ride first. Where those of one round trip do not fit, the newest would always wait
    // until others are acknowledged which have mostly arrived long ago.
    let fitting = max(1, byteBudget / max(1, usualFreshBytes))
    let isTight = (interval ?? .zero) * Int64(fitting - 1) < roundTrip
    return Plan(
      sends: isTight ? min(wanted, fitting) : wanted, byteBudget: byteBudget, copies: copies)
  }

  private var wantedSends: Int {
    if monitor.isBursty || monitor.steadyRate >= Self.allSendsRate { return .max }
    if monitor.steadyRate >= Self.fourSendsRate || monitor.rate >= Self.fourSendsRateAtOnce {
      return 4
    }
    return monitor.rate >= Self.twoSendsRate ? 2 : 1
  }

  /// The usual size of what is new in a packet, in bytes.
  private var usualFreshBytes: Int { scaledFreshBytes / 8 }

  private var adaptiveCopies: EarlyCopies {
    let burst = monitor.isBursty ? monitor.burstTime * 3 / 2 : .zero
    return EarlyCopies(
      count: monitor.rate >= Self.twoSendsRate ? 2 : 1,
      spacing: min(Self.longSpacing, max(Self.shortSpacing, burst)))
  }

  private mutating func notePattern(freshBytes: Int, at now: Instant) {
    if let latestSend {
      // A pause says little about what follows it.
      let elapsed = min(now - latestSend, .seconds(2))
      interval = interval.map { $0 + (elapsed - $0) / 8 } ?? elapsed
    }
    latestSend = now
    scaledFreshBytes += freshBytes - scaledFreshBytes / 8
  }
}
