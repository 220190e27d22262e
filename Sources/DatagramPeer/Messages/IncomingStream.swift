import ChatTransport
import Primitives

/// What has arrived of one channel and kind of delivery: keeps order, drops what came before, and
/// sees what is missing.
struct IncomingStream {
  /// What is to be done with a message.
  enum Verdict {
    case deliver
    /// Accepted, but an earlier one has to come first.
    case hold
    /// It came before, or is too old to be told apart from one that did.
    case drop
    /// There is no place for it yet: its packet must not be acknowledged.
    case refuse
  }

  private enum Slot {
    case missing
    case delivered
    case held([UInt8])
  }

  let key: StreamKey
  /// The reliable kinds: the lowest number that has not been delivered. The others: one more than
  /// the largest that has.
  private var next: UInt64 = 0
  /// The reliable kinds: what is known of `next` and the numbers after it.
  private var window = Queue<Slot>()
  /// The others: numbers that were passed over, and when that was noticed.
  private var missing: [(range: Range<UInt64>, since: Instant)] = []

  /// The most holes that are watched at once; where there are more, the oldest count as lost.
  private static let maximumHoles = 64

  init(key: StreamKey) {
    self.key = key
  }

  /// Says what `take` would do with a message of this number and size, changing nothing.
  func verdict(on sequence: UInt64, size: Int, bufferRoom: Int) -> Verdict {
    switch key.delivery {
    case .unreliable: return .deliver
    case .sequenced: return sequence >= next ? .deliver : .drop
    case .reliable, .ordered:
      guard sequence >= next else { return .drop }
      let offset = sequence - next
      guard offset < UInt64(ProtocolLimits.messageWindow) else { return .refuse }
      if offset < UInt64(window.count) {
        switch window[Int(offset)] {
        case .missing: break
        case .delivered, .held: return .drop
        }
      }
      if key.delivery == .reliable || offset == 0 { return .deliver }
      return size <= bufferRoom ? .hold : .refuse
    }
  }

  /// Takes in a message that `verdict` would deliver, at the time it arrived.
  mutating func noteDelivery(of sequence: UInt64, at now: Instant) {
    if key.delivery.isReliable {
      set(.delivered, at: sequence)
      return
    }
    if sequence >= next {
      if sequence > next {
        missing.append((range: next..<sequence, since: now))
      }
      next = sequence + 1
    } else {
      fillHole(sequence)
    }
  }

  /// Takes in a message that `verdict` would hold.
  mutating func hold(_ payload: [UInt8], at sequence: UInt64) {
    set(.held(payload), at: sequence)
  }

  /// The next held message whose turn has come, with its number. Called until it returns `nil`
  /// after each delivery.
  mutating func nextHeld() -> (sequence: UInt64, payload: [UInt8])? {
    while let slot = window.first {
      switch slot {
      case .missing: return nil
      case .delivered:
        window.popFirst()
        next += 1
      case .held(let payload):
        window.popFirst()
        next += 1
        return (next - 1, payload)
      }
    }
    return nil
  }

  /// The next range that has been missing for `tolerance`, or for any time where `all` is set.
  mutating func nextGap(at now: Instant, tolerance: Interval, all: Bool = false) -> Range<UInt64>? {
    guard let oldest = missing.first,
      all || missing.count > Self.maximumHoles || oldest.since + tolerance <= now
    else { return nil }
    return missing.removeFirst().range
  }

  /// When `nextGap` will have something to say.
  func gapDeadline(tolerance: Interval) -> Instant? {
    missing.first.map { $0.since + tolerance }
  }

  private mutating func set(_ slot: Slot, at sequence: UInt64) {
    let offset = Int(sequence - next)
    while window.count <= offset { window.append(.missing) }
    window[offset] = slot
  }

  private mutating func fillHole(_ sequence: UInt64) {
    guard let index = missing.firstIndex(where: { $0.range.contains(sequence) }) else { return }
    let (range, since) = missing.remove(at: index)
    let parts = [range.lowerBound..<sequence, (sequence + 1)..<range.upperBound]
    missing.insert(
      contentsOf: parts.filter { !$0.isEmpty }.map { (range: $0, since: since) }, at: index)
  }
}
