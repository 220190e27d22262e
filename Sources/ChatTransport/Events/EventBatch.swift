package import Primitives

/// Events of a transport in their order, to be read by whoever made them or by another thread:
/// messages, and rare events between them.
///
/// The messages stand one behind the other in one slab, each with its length before it as on the
/// wire, and a run of them has one small record; so a packet full of messages is taken in with one
/// copy, and thousands of small ones cost no allocation each. It is read like a transport:
/// `readMessages` until it returns 0, then `nextEvent`, and so on until that returns `nil`. Made to
/// be used again: it keeps its memory while that is needed.
public struct EventBatch: Sendable {
  /// Messages as `(length as a variable-length number, payload)`, those before `position` read.
  var slab: [UInt8] = []
  var position = 0
  /// What the slab holds, and where events stand between; those before `firstRun` are read.
  var runs: [EventRun] = []
  var firstRun = 0
  var events = Queue<TransportEvent>()
  /// How many messages and other events were not read yet.
  public internal(set) var count = 0

  /// The most that the slab held since memory was last looked at, and how often it was emptied.
  private var largestUse = 0
  private var timesEmptied = 0

  /// A slab of this size, in bytes, is kept without asking whether it is still needed.
  private static let keptCapacity = 256 << 10
  /// After the slab was emptied so often, memory that nothing has needed meanwhile is given back.
  private static let emptyingsPerReview = 1_024

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// How much memory is taken by what waits, in bytes; what was read and whose memory is not free
  /// yet is no more than that again.
  public var byteCount: Int {
    slab.count - position + (runs.count - firstRun) * MemoryLayout<EventRun>.stride
      + events.count * MemoryLayout<TransportEvent>.stride
  }

  /// Appends an event; it will be read after everything that is in here already.
  package mutating func append(_ event: TransportEvent) {
    if case .message(let message) = event {
      append(
        message.payload.span, peer: message.peer, channel: message.channel,
        delivery: message.delivery, sequence: message.sequence)
      return
    }
    makeRoom()
    events.append(event)
    note(.event)
  }

  /// Appends one whole message.
  package mutating func append(
    _ payload: Span<UInt8>, peer: PeerID, channel: UInt8, delivery: Delivery, sequence: UInt64?
  ) {
    makeRoom()
    slab.append(lengthAnd: payload)
    note(
      EventRun(
        count: 1, peer: peer, channel: channel, delivery: delivery, firstSequence: sequence))
  }

  /// Appends `count` whole messages, which stand in `bytes` one behind the other, each with its
  /// length before it; their numbers go up from `firstSequence`. The caller has checked the
  /// lengths.
  package mutating func append(
    run bytes: Span<UInt8>, count: Int, peer: PeerID, channel: UInt8, delivery: Delivery,
    firstSequence: UInt64?
  ) {
    guard count > 0 else { return }
    makeRoom()
    slab.append(contentsOf: bytes)
    note(
      EventRun(
        count: count, peer: peer, channel: channel, delivery: delivery,
        firstSequence: firstSequence))
  }

  /// Appends `count` whole messages that stand in `range` of `ring`, as `append(run:)` does.
  package mutating func append(
    run range: Range<UInt64>, of ring: borrowing ByteRing, count: Int, peer: PeerID,
    channel: UInt8, delivery: Delivery, firstSequence: UInt64?
  ) {
    guard count > 0 else { return }
    makeRoom()
    ring.copy(range, appendingTo: &slab)
    note(
      EventRun(
        count: count, peer: peer, channel: channel, delivery: delivery,
        firstSequence: firstSequence))
  }

  /// Takes over all of `other`, which is empty then; without a copy where nothing waits here.
  package mutating func append(_ other: inout EventBatch) {
    guard !isEmpty else { return swap(&self, &other) }
    makeRoom()
    slab.append(contentsOf: other.slab.span.extracting(other.position..<other.slab.count))
    for run in other.runs[other.firstRun...] { note(run) }
    while let event = other.events.popFirst() { events.append(event) }
    other.reset()
  }

  /// Appends the messages of a run, which stand in `bytes`.
  mutating func append(_ run: EventRun, _ bytes: Span<UInt8>) {
    makeRoom()
    slab.append(contentsOf: bytes)
    note(run)
  }

  private mutating func note(_ run: EventRun) {
    count += Int(run.count)
    if runs.count > firstRun, runs[runs.count - 1].extend(with: run) { return }
    runs.append(run)
  }

  /// Moves what waits to the front where at least as much before it was read: each byte is then
  /// moved at most once for every one that was read.
  private mutating func makeRoom() {
    if position > 4_096, position > slab.count / 2 {
      largestUse = max(largestUse, slab.count)
      slab.removeSubrange(0..<position)
      position = 0
    }
    if firstRun > 64, firstRun > runs.count / 2 {
      runs.removeSubrange(0..<firstRun)
      firstRun = 0
    }
  }

  /// Called when everything was read: the slab begins anew.
  mutating func reset() {
    largestUse = max(largestUse, slab.count)
    timesEmptied += 1
    slab.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    position = 0
    firstRun = 0
    count = 0
    if timesEmptied >= Self.emptyingsPerReview { review() }
  }

  /// Gives back what was needed for one great rush and not since.
  private mutating func review() {
    if slab.capacity > Self.keptCapacity, largestUse < slab.capacity / 4 { slab = [] }
    if runs.capacity > Self.keptCapacity / MemoryLayout<EventRun>.stride { runs = [] }
    largestUse = 0
    timesEmptied = 0
  }

  /// Gives back all memory where nothing waits.
  package mutating func releaseStorage() {
    guard isEmpty else { return }
    self = EventBatch()
  }
}
