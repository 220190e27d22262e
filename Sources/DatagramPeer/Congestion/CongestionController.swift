import Primitives

/// How many bytes may be under way to the peer, and how fast they may leave.
///
/// A plain value, one for a connection; every call takes the same short time however many packets
/// it speaks of. Driving it:
/// - Before sending, as long as the bytes in flight are below `window`, and by `pacingRate`. Probes
///   do not ask.
/// - After each pass of sending, `didTransmit`.
/// - For each acknowledgement `didAcknowledge`, where something that was in flight is newly
///   acknowledged, and then `didLose`, where something is newly lost; the bytes are those of
///   packets that count as in flight (RFC 9002, section 2). A timer may tell losses alone. Lost
///   probes of path MTU discovery are not told (RFC 9000, section 14.4).
/// - `undo` where all that the last `didLose` calls counted as lost has come late.
///
/// **Loss without a full window.** RFC 9002 takes each loss for congestion. A game that sends 60
/// packets a second over a radio link then ends at two datagrams a round trip, though it never
/// filled anything. Here, where the window was not what limited sending and there is no persistent
/// congestion:
/// 1. At most an initial window was in flight, and the round-trip time has not risen, or the window
///    is no larger than the initial one anyway: nothing changes, and slow start does not end.
/// 2. Else the window is reduced as after any loss, but not below the initial window.
///
/// This is fair to TCP: such a flow sends no more than ten datagrams a round trip, which everybody
/// may do at any time by opening a connection (RFC 6928), and less than its share of a path without
/// a queue. Where the path cannot carry even that, most of it is lost, and persistent congestion is
/// the response that RFC 8085, section 3.1, asks for. A flow that sends more is reduced as TCP is,
/// and one that fills its window down to two datagrams.
struct CongestionController {
  private let handling = HandledByAddress()
  let algorithm: CongestionControl
  /// Bytes that may be in flight.
  private(set) var window: Int
  /// Slow start is up to here.
  private(set) var slowStartThreshold = Int.max
  /// Times the window was reduced, persistent congestion among them, not counting what was undone.
  private(set) var reductions: UInt64 = 0

  private var datagramSize: Int
  private var increase: Increase
  /// In the first slow start only: later ones know where to end (RFC 9406, section 4.3).
  private var hyStart: HyStart? = HyStart()
  /// When the window was reduced: what was sent up to then tells nothing about the window of now.
  private var reducedAt: Instant?
  /// Nothing sent after the reduction has been acknowledged yet.
  private(set) var isRecovering = false
  /// When the window was last seen in use, by what a growth asks for, and in full use.
  private var usedAt: Instant?
  private var fullAt: Instant?
  private var beforeReduction: Snapshot?

  private enum Increase {
    case cubic(CubicIncrease)
    case newReno(RenoIncrease)
    /// The window does not follow what happens.
    case none
  }

  /// What a reduction that turns out wrong is undone to.
  private struct Snapshot {
    var window: Int
    var slowStartThreshold: Int
    var increase: Increase
    var hyStart: HyStart?
    var reductions: UInt64
  }

  init(_ algorithm: CongestionControl, datagramSize: Int) {
    precondition(CongestionLimits.isDatagramSize(datagramSize), "1 to 65,535 bytes")
    self.algorithm = algorithm
    self.datagramSize = datagramSize
    let initial = CongestionLimits.initialWindow(datagramSize: datagramSize)
    switch algorithm {
    case .cubic:
      increase = .cubic(CubicIncrease())
      window = initial
    case .newReno:
      increase = .newReno(RenoIncrease())
      window = initial
    case .fixedRate(let bytesPerSecond):
      precondition(bytesPerSecond > 0, "1 byte per second or more")
      increase = .none
      window = max(initial, 2 * min(bytesPerSecond, CongestionLimits.maximumRate / 2))
    case .unlimited:
      increase = .none
      window = CongestionLimits.maximumWindow
    }
  }

  var isInSlowStart: Bool { window < slowStartThreshold }

  /// Bytes per second; `Int.max` stands for no pacing.
  ///
  /// A window kind asks for a little more than the window gives, so that it can be filled: a
  /// quarter more, and double in slow start, which doubles the window in a round trip (RFC 9002,
  /// section 7.7).
  func pacingRate(_ roundTrip: RoundTripEstimator) -> Int {
    switch algorithm {
    case .unlimited: return .max
    case .fixedRate(let bytesPerSecond): return bytesPerSecond
    case .cubic, .newReno:
      let factor = isInSlowStart ? 2e9 : 1.25e9
      let rate = Double(window) * factor / Double(max(1, roundTrip.smoothed.nanoseconds))
      return Int(min(rate, Double(CongestionLimits.maximumRate)))
    }
  }

  // MARK: What limits sending

  /// Notes how much is under way after a pass of sending. `isHeldBack` says that something is left
  /// that this window or the pacer did not let through; the peer's flow control does not count.
  ///
  /// The window limits sending where no datagram more has room, or where half of it is used and
  /// pacing held the rest back (RFC 9002, section 7.8). To grow, half of it is enough in slow start
  /// (RFC 7661, section 4.2); a loss there says nothing about the half that is free.
  mutating func didTransmit(bytesInFlight: Int, isHeldBack: Bool, at now: Instant) {
    let isHalf = bytesInFlight >= window / 2
    if bytesInFlight > window - datagramSize || isHalf && isHeldBack {
      usedAt = now
      fullAt = now
    } else if isHalf && isInSlowStart {
      usedAt = now
    }
  }

  /// Whether the window limited sending at some time after a packet was sent, as far as growth is
  /// concerned: to be handed to `didAcknowledge`, for the newest packet that is acknowledged.
  func wasWindowLimited(since sentAt: Instant) -> Bool {
    usedAt.map { $0 >= sentAt } ?? false
  }

  /// Whether the window was full at some time after a packet was sent: to be handed to `didLose`,
  /// for the newest packet that is lost.
  func wasWindowFull(since sentAt: Instant) -> Bool {
    fullAt.map { $0 >= sentAt } ?? false
  }

  // MARK: Growing

  /// Takes in that `bytes` are newly acknowledged, the newest of them sent at `newestSentAt`.
  /// `roundTrip` has the measurement of this acknowledgement already.
  mutating func didAcknowledge(
    bytes: Int, newestSentAt: Instant, wasWindowLimited: Bool, roundTrip: RoundTripEstimator,
    at now: Instant
  ) {
    if isRecovering {
      // RFC 9002, section 7.3.2.
      if let reducedAt, newestSentAt <= reducedAt { return }
      isRecovering = false
    }
    guard wasWindowLimited else {
      hyStart?.interrupt()
      if case .cubic(var cubic) = increase {
        cubic.pause(at: now)
        increase = .cubic(cubic)
      }
      return
    }
    var rest = min(max(0, bytes), CongestionLimits.maximumWindow)
    if case .none = increase { return }
    if isInSlowStart {
      rest = growInSlowStart(
        by: rest, sample: roundTrip.latest, newestSentAt: newestSentAt, at: now)
      guard !isInSlowStart, rest > 0 else { return }
    }
    switch increase {
    case .cubic(var cubic):
      window = cubic.grow(
        window, by: rest, datagramSize: datagramSize, newestSentAt: newestSentAt,
        smoothed: roundTrip.smoothed, at: now)
      increase = .cubic(cubic)
    case .newReno(var reno):
      window = min(
        reno.grow(window, by: rest, datagramSize: datagramSize), CongestionLimits.maximumWindow)
      increase = .newReno(reno)
    case .none: break
    }
  }

  /// Returns the bytes that are left for congestion avoidance.
  private mutating func growInSlowStart(
    by bytes: Int, sample: Interval, newestSentAt: Instant, at now: Instant
  ) -> Int {
    var growth = bytes
    switch hyStart?.step(sample: sample, newestSentAt: newestSentAt, at: now) {
    case .leave:
      slowStartThreshold = window
      leaveSlowStart()
      return bytes
    case .conservative: growth /= HyStart.conservativeDivisor
    case .full, nil: break
    }
    let room = min(slowStartThreshold, CongestionLimits.maximumWindow) - window
    guard growth >= room else {
      window += growth
      return 0
    }
    window += room
    slowStartThreshold = window
    leaveSlowStart()
    return growth - room
  }

  private mutating func leaveSlowStart() {
    hyStart = nil
    switch increase {
    case .cubic(var cubic):
      cubic.leaveSlowStart(at: window)
      increase = .cubic(cubic)
    case .newReno: increase = .newReno(RenoIncrease())
    case .none: break
    }
  }

  // MARK: Shrinking

  /// Takes in that `bytes` are newly lost, the newest of them sent at `newestSentAt`, with
  /// `bytesInFlight` still under way without them. `isPersistent` is the finding of RFC 9002,
  /// section 7.6, to be told once.
  mutating func didLose(
    bytes: Int, newestSentAt: Instant, isPersistent: Bool, wasWindowLimited: Bool,
    bytesInFlight: Int, roundTrip: RoundTripEstimator, at now: Instant
  ) {
    if case .none = increase { return }
    // One reduction for all that was under way when the first loss was noticed.
    let isNews = reducedAt.map { newestSentAt > $0 } ?? true
    guard isNews || isPersistent else { return }
    let initial = CongestionLimits.initialWindow(datagramSize: datagramSize)
    if isNews {
      let wasSparse = !wasWindowLimited && !isPersistent
      let (flight, isHuge) = bytesInFlight.addingReportingOverflow(max(0, bytes))
      if wasSparse, !isHuge, flight <= initial, window <= initial || !roundTrip.hasRisen {
        // What is found to be wrong later would be this episode, of which nothing was made.
        beforeReduction = nil
        return
      }
      reduce(to: wasSparse ? initial : 0, at: now)
    }
    guard isPersistent else { return }
    // RFC 9002, section 7.6.2: as after a timeout of TCP. What is acknowledged counts at once, but
    // what else was lost of that time is no new sign.
    window = CongestionLimits.minimumWindow(datagramSize: datagramSize)
    reducedAt = now
    isRecovering = false
  }

  /// Takes away the algorithm's part, down to `floor` or the minimum window, whatever is more; a
  /// window that is lower already stays. The part is one of the window, as in RFC 9002, not of what
  /// is in flight.
  private mutating func reduce(to floor: Int, at now: Instant) {
    beforeReduction = Snapshot(
      window: window, slowStartThreshold: slowStartThreshold, increase: increase,
      hyStart: hyStart, reductions: reductions)
    let remainder: Double
    switch increase {
    case .cubic(var cubic):
      remainder = CubicIncrease.remainder
      cubic.reduce(from: window)
      increase = .cubic(cubic)
    case .newReno:
      remainder = RenoIncrease.remainder
      increase = .newReno(RenoIncrease())
    case .none: return
    }
    let minimum = CongestionLimits.minimumWindow(datagramSize: datagramSize)
    let reduced = max(Int(Double(window) * remainder), floor, minimum)
    window = min(reduced, max(window, minimum))
    slowStartThreshold = window
    hyStart = nil
    reducedAt = now
    isRecovering = true
    reductions += 1
  }

  /// Takes the last reduction back: nothing was lost (RFC 9438, section 4.9.2). The window is not
  /// made smaller by it; without a reduction nothing happens.
  mutating func undo() {
    guard let before = beforeReduction else { return }
    beforeReduction = nil
    reducedAt = nil
    isRecovering = false
    reductions = before.reductions
    guard window <= before.window else { return }
    window = before.window
    slowStartThreshold = before.slowStartThreshold
    increase = before.increase
    hyStart = before.hyStart
  }

  // MARK: The path

  /// Path MTU discovery found another size (RFC 9002, section 7.2): an initial window that nothing
  /// has changed yet follows, any other stays, within the minimum.
  mutating func datagramSizeChanged(to size: Int) {
    precondition(CongestionLimits.isDatagramSize(size), "1 to 65,535 bytes")
    let wasInitial = window == CongestionLimits.initialWindow(datagramSize: datagramSize)
    datagramSize = size
    switch increase {
    case .cubic(var cubic):
      cubic.restart()
      increase = .cubic(cubic)
    case .newReno: break
    case .none: return
    }
    if wasInitial, slowStartThreshold == .max {
      window = CongestionLimits.initialWindow(datagramSize: size)
    }
    window = max(window, CongestionLimits.minimumWindow(datagramSize: size))
  }
}

extension RoundTripEstimator {
  /// Whether packets now wait in queues: the round-trip time is above its minimum by more than what
  /// HyStart++ calls a rise. So long as nothing was measured it has to be assumed.
  var hasRisen: Bool {
    !hasSample || smoothed > minimum + HyStart.rise(above: minimum)
  }
}
