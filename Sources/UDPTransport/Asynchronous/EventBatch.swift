public import ChatTransport
import Primitives

/// Events of a transport in their order, to be read by another thread than the one that made them:
/// messages stand one behind the other in one piece of memory, so that thousands of small ones cost
/// no allocation each.
///
/// It is read like a transport: `readMessages` until it returns 0, then `nextEvent`, which tells
/// what is no message, and so on until that returns `nil`. Made to be used again: it keeps its
/// memory, up to a few megabytes.
public struct EventBatch: Sendable {
  /// Messages that follow one another and differ only in their numbers; or one other event.
  private struct Run {
    var info: MessageInfo
    /// 0 stands for an event.
    var count: Int

    /// Takes up one more message where it continues this run; returns whether it does.
    mutating func extend(with next: MessageInfo) -> Bool {
      guard count > 0, info.peer == next.peer, info.channel == next.channel,
        info.delivery == next.delivery,
        next.sequence == info.sequence.map({ $0 &+ UInt64(count) })
      else { return false }
      count += 1
      return true
    }

    mutating func removeFirst() {
      info.sequence = info.sequence.map { $0 &+ 1 }
      count -= 1
    }
  }

  /// Each message as its length (a variable-length number, RFC 9000, section 16) and its payload.
  private var bytes: [UInt8] = []
  /// Messages before this were read.
  private var position = 0
  private var runs: [Run] = []
  /// Runs before this were read.
  private var firstRun = 0
  private var events = Queue<TransportEvent>()
  /// How many messages and other events were not read yet.
  public private(set) var count = 0

  /// More memory than this is given back when all was read, in bytes.
  private static let keptCapacity = 4 << 20
  private static let noMessage = MessageInfo(
    peer: PeerID(rawValue: 0), channel: 0, delivery: .unreliable, sequence: nil)

  public init() {}

  public var isEmpty: Bool { count == 0 }

  // MARK: Reading

  /// Lends every message up to the next other event to `body`, in order, and returns how many those
  /// were: 0 where such an event comes first or nothing is left. A payload is there during the call
  /// only.
  public mutating func readMessages(_ body: (Span<UInt8>, MessageInfo) -> Void) -> Int {
    var (place, index, total) = (position, firstRun, 0)
    while index < runs.count, runs[index].count > 0 {
      var run = runs[index]
      total += run.count
      while run.count > 0 {
        body(bytes.span.extracting(nextPayload(at: &place)), run.info)
        run.removeFirst()
      }
      index += 1
    }
    (position, firstRun) = (place, index)
    count -= total
    if isEmpty { removeAll() }
    return total
  }

  /// The next event, a message with a copy of its payload; `nil` where all was read.
  public mutating func nextEvent() -> TransportEvent? {
    guard firstRun < runs.count else { return nil }
    defer { if isEmpty { removeAll() } }
    count -= 1
    guard runs[firstRun].count > 0 else {
      firstRun += 1
      return events.popFirst()
    }
    let info = runs[firstRun].info
    var place = position
    let payload = nextPayload(at: &place)
    position = place
    runs[firstRun].removeFirst()
    if runs[firstRun].count == 0 { firstRun += 1 }
    return .message(
      ReceivedMessage(
        peer: info.peer, channel: info.channel, delivery: info.delivery, sequence: info.sequence,
        payload: bytes.span.copy(payload)))
  }

  @inline(__always)
  private func nextPayload(at place: inout Int) -> Range<Int> {
    guard let length = bytes.span.variableLength(at: &place) else {
      preconditionFailure("a message without its length")
    }
    let start = place
    place += Int(length)
    return start..<place
  }

  private mutating func removeAll() {
    if bytes.capacity > Self.keptCapacity { bytes = [] }
    bytes.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    events.removeAll()
    (position, firstRun, count) = (0, 0, 0)
  }
}

// MARK: - Filling

extension EventBatch {
  mutating func append(_ payload: Span<UInt8>, _ info: MessageInfo) {
    bytes.append(lengthAnd: payload)
    count += 1
    if firstRun < runs.count, runs[runs.count - 1].extend(with: info) { return }
    runs.append(Run(info: info, count: 1))
  }

  mutating func append(_ event: TransportEvent) {
    if case .message(let message) = event {
      let info = MessageInfo(
        peer: message.peer, channel: message.channel, delivery: message.delivery,
        sequence: message.sequence)
      return append(message.payload.span, info)
    }
    count += 1
    events.append(event)
    runs.append(Run(info: Self.noMessage, count: 0))
  }

  /// Takes over all of `other`, which is empty then.
  mutating func append(_ other: inout EventBatch) {
    guard !isEmpty else { return swap(&self, &other) }
    makeRoom()
    bytes.append(contentsOf: other.bytes.span.extracting(other.position..<other.bytes.count))
    runs.append(contentsOf: other.runs[other.firstRun...])
    while let event = other.events.popFirst() { events.append(event) }
    count += other.count
    other.removeAll()
  }

  /// Moves what was not read to the front where at least as much before it was read.
  private mutating func makeRoom() {
    if position > bytes.count / 2 {
      bytes.removeSubrange(0..<position)
      position = 0
    }
    if firstRun > runs.count / 2 {
      runs.removeSubrange(0..<firstRun)
      firstRun = 0
    }
  }
}
