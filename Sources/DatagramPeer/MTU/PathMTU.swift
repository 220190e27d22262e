import Primitives

/// How large a datagram the path carries: datagram packetization layer path MTU discovery
/// (RFC 8899), without help from routers.
///
/// Sizes are of whole datagrams, without the headers of IP and UDP, in bytes. The search begins at
/// a size that every path carries and goes upwards by probes, which carry nothing that matters. It
/// costs nothing as long as no traffic would gain by it: a connection that never fills a datagram
/// never probes.
///
/// The owner sets `wantsLarger` whenever it filled a datagram and more waited, asks `nextProbe`
/// then and at the `deadline`, and tells what became of every packet.
struct PathMTU {
  /// What every path carries.
  let base: Int
  /// What we would send at most.
  let maximum: Int
  /// The largest size that packets may have now.
  private(set) var current: Int
  /// Whether traffic would gain by larger datagrams. Each probe takes it back, so that there is no
  /// further one without further traffic.
  var wantsLarger = false

  /// The smallest size that failed, or one more than `maximum`.
  private var failed: Int
  /// The size that is being tried, and how many probes of it were lost.
  private var candidate: Int?
  private var lostProbes = 0
  /// When the probe that is under way was sent.
  private var probeSentAt: Instant?
  /// No probe before this time.
  private var pausedUntil: Instant?
  /// Whether `current` is as good as the largest size; then the pause is the one before raising.
  private var isComplete = false
  private var blackHole = BlackHoleDetector()

  /// How often a size is tried before it counts as too large (RFC 8899, section 5.1.2,
  /// MAX_PROBES).
  static let maximumProbes = 3
  /// From one lost probe to the next, so that one burst of losses does not take all tries. A probe
  /// of which nothing is heard for so long counts as lost (RFC 8899, section 5.1.1, PROBE_TIMER;
  /// shorter than the 15 s there, as we have an estimate of the round-trip time to speak of losses
  /// earlier).
  static let probeTimer = Interval.seconds(1)
  /// After a search, until it is tried again whether more has become possible (RFC 8899,
  /// section 5.1.1, PMTU_RAISE_TIMER).
  static let raiseTimer = Interval.seconds(600)
  /// After a size that had worked failed, until the next probe.
  static let blackHolePause = Interval.seconds(60)
  /// The search ends where no more than this could be gained: a few bytes up to Ethernet's size,
  /// and an eighth beyond, where paths are few and a search between them would be long.
  static func granularity(above size: Int) -> Int { size < 1_472 ? 20 : size / 8 }
  /// Tried in turn as long as nothing failed: Ethernet under IPv6 and IPv4, jumbo frames under
  /// both, and the loopback interface with the largest UDP payload there is.
  static let ladder = [1_452, 1_472, 8_952, 8_972, 16_356, 32_740, 65_487, 65_507]

  init(base: Int = 1_200, maximum: Int) {
    self.base = base
    self.maximum = max(base, maximum)
    current = base
    failed = self.maximum + 1
  }

  /// When a probe will be due, where one is wanted.
  var deadline: Instant? {
    guard wantsLarger, probeSentAt == nil, current < maximum else { return nil }
    return pausedUntil
  }

  /// The size of a probe to send now, of a ping and padding; it then counts as sent.
  mutating func nextProbe(at now: Instant) -> Int? {
    guard wantsLarger, current < maximum else { return nil }
    if let sent = probeSentAt {
      guard now - sent >= Self.probeTimer else { return nil }
      loseProbe(at: now)
    }
    if let pausedUntil, now < pausedUntil { return nil }
    if isComplete {
      isComplete = false
      failed = maximum + 1
    }
    guard let size = candidate ?? nextCandidate else {
      complete(at: now)
      return nil
    }
    pausedUntil = nil
    candidate = size
    probeSentAt = now
    wantsLarger = false
    return size
  }

  /// A packet was acknowledged.
  mutating func didAcknowledge(size: Int, isProbe: Bool) {
    guard isProbe else {
      if current > base { blackHole.didAcknowledge(size: size, base: base) }
      return
    }
    // One that counted as lost already tells the same, as long as its size is still of interest.
    guard size == candidate, size > current else { return }
    current = size
    candidate = nil
    lostProbes = 0
    probeSentAt = nil
    pausedUntil = nil
  }

  /// A packet counts as lost.
  mutating func didLose(size: Int, isProbe: Bool, at now: Instant) {
    if isProbe {
      if size == candidate, probeSentAt != nil { loseProbe(at: now) }
    } else if current > base, blackHole.didLose(size: size, base: base) {
      fall(below: blackHole.smallestLost, pause: Self.blackHolePause, at: now)
    }
  }

  /// The system refused to send a datagram of this size (EMSGSIZE): the path has become narrower
  /// than that, or the interface is.
  mutating func didFailToSend(size: Int) {
    if size > current {
      guard size == candidate else { return }
      failed = min(failed, size)
      candidate = nil
      lostProbes = 0
      probeSentAt = nil
    } else if size > base {
      fall(below: size, pause: nil, at: .zero)
    }
  }

  /// The peer is reached another way now, of which nothing is known.
  mutating func pathChanged(at now: Instant) {
    fall(below: maximum + 1, pause: nil, at: now)
    wantsLarger = false
  }

  private var nextCandidate: Int? {
    if failed > maximum {
      return Self.ladder.first { $0 > current && $0 < maximum } ?? maximum
    }
    let gap = failed - current
    return gap > Self.granularity(above: current) ? current + gap / 2 : nil
  }

  private mutating func loseProbe(at now: Instant) {
    let sent = probeSentAt ?? now
    probeSentAt = nil
    lostProbes += 1
    if lostProbes >= Self.maximumProbes {
      if let candidate { failed = min(failed, candidate) }
      candidate = nil
      lostProbes = 0
      if nextCandidate == nil { complete(at: now) }
    } else {
      pausedUntil = sent + Self.probeTimer
    }
  }

  private mutating func complete(at now: Instant) {
    isComplete = true
    wantsLarger = false
    pausedUntil = now + Self.raiseTimer
  }

  /// Back to the base (RFC 8899, section 4.3); `size` is the smallest that is known to fail.
  private mutating func fall(below size: Int, pause: Interval?, at now: Instant) {
    current = base
    failed = max(base + 1, min(size, maximum + 1))
    candidate = nil
    lostProbes = 0
    probeSentAt = nil
    isComplete = false
    pausedUntil = pause.map { now + $0 }
    blackHole.forget()
  }
}
