import Primitives

/// How much a path loses, and whether it loses packets one by one or in bursts.
///
/// Fed with the fate of every packet that was acknowledged or counts as lost. Two rates are kept
/// as ratios of counts that fade: one over about a second at 60 packets a second, to notice loss
/// soon, and one over three seconds, to judge its amount. With fewer packets they reach further
/// back, up to 30 seconds.
struct LossMonitor {
  private struct FadingRatio {
    var lost = 0.0
    /// In the beginning so many packets without loss are assumed.
    var total: Double
    /// The most packets that it looks back, and the time, in seconds, where there are more.
    let packets: Double
    let seconds: Double

    var value: Double { lost / total }

    mutating func note(isLost: Bool, after seconds: Double) {
      let dense = min(1 / packets, seconds / self.seconds)
      let keep = 1 - min(1, max(dense, seconds / LossMonitor.memory))
      lost = LossMonitor.faded(lost, by: keep) + (isLost ? 1 : 0)
      // After a pause one loss must not look like a half of all.
      total = max(LossMonitor.assumed, total * keep + 1)
    }
  }

  private var fast = FadingRatio(total: Self.assumed, packets: 64, seconds: 1.1)
  private var slow = FadingRatio(total: Self.assumed, packets: 200, seconds: 3.3)
  /// The newest time of sending that was heard of.
  private var newest: Instant?

  /// Losses, series of losses without an arrival between them, and the seconds from the first to
  /// the last of each; all fade with every further series.
  private var losses = 0.0
  private var series = 0.0
  private var duration = 0.0
  private var latestLoss: Instant?
  /// When packets were sent that arrived: the latest of them, as losses are noticed after later
  /// packets have arrived.
  private var arrivals = InlineArray<64, Int64>(repeating: .min)
  private var arrivalIndex = 0

  /// The longest time that anything is remembered, in seconds.
  static let memory = 30.0
  private static let seriesRemembered = 16.0
  /// How many packets without loss are assumed where nothing is known.
  static let assumed = 24.0

  /// Notes what became of a packet. Losses come in the order of sending, and so do arrivals; the
  /// two may be interleaved in any way.
  mutating func note(sentAt: Instant, isLost: Bool) {
    var seconds = 0.0
    if let newest {
      if sentAt > newest { seconds = Double((sentAt - newest).nanoseconds) / 1e9 }
    }
    newest = max(newest ?? sentAt, sentAt)
    fast.note(isLost: isLost, after: seconds)
    slow.note(isLost: isLost, after: seconds)
    if isLost {
      noteLoss(at: sentAt)
    } else {
      arrivals[arrivalIndex] = sentAt.nanoseconds
      arrivalIndex = (arrivalIndex + 1) & 63
    }
  }

  /// The path has become another one than it was: what was good before does not count for much.
  mutating func noteChange() {
    fast.total = min(fast.total, Self.assumed)
    slow.total = min(slow.total, Self.assumed)
  }

  /// The rate of loss, 0 to 1, as it may be now: rises within a second.
  var rate: Double { max(fast.value, slow.value) }

  /// The rate of loss over some seconds.
  var steadyRate: Double { slow.value }

  /// How many packets in a row are lost on average, where any is; 1 while little is known.
  var burstPackets: Double {
    series >= 2 ? losses / series : 1
  }

  /// How long losses go on, from the first to the last packet of a series, on average.
  var burstTime: Interval {
    series > 0 ? Interval(nanoseconds: Int64(duration / series * 1e9)) : .zero
  }

  /// Whether losses come in bursts and not one by one. Where they are independent, a series has
  /// 1 / (1 - rate) packets on average.
  var isBursty: Bool {
    losses >= 6 && burstPackets > max(1.7, 1.5 / (1 - min(0.7, steadyRate)))
  }

  private mutating func noteLoss(at sentAt: Instant) {
    if let latestLoss, !hasArrival(between: latestLoss, and: sentAt) {
      losses += 1
      duration += max(0, Double((sentAt - latestLoss).nanoseconds) / 1e9)
    } else {
      let keep = 1 - 1 / Self.seriesRemembered
      losses = losses * keep + 1
      series = series * keep + 1
      duration = Self.faded(duration, by: keep)
    }
    latestLoss = sentAt
  }

  /// Ends at zero: numbers that are nearly zero take many times longer to calculate with.
  private static func faded(_ count: Double, by keep: Double) -> Double {
    count > 1e-9 ? count * keep : 0
  }

  private func hasArrival(between first: Instant, and last: Instant) -> Bool {
    for index in 0..<64
    where arrivals[index] > first.nanoseconds && arrivals[index] < last.nanoseconds {
      return true
    }
    return false
  }
}
