import ChatTransport
import Primitives

/// Messages of the unreliable kinds from one peer: puts fragments together, delivers each message
/// at most once, never lets `sequenced` run backwards, and sees what is missing.
struct UnreliableReceiver {
  private let peer: PeerID
  private var streams = UnreliableTable<ArrivedNumbers>()
  private var missing: MissingNumbers
  private var reassembly = Reassembly()
  private var abandoned: [Reassembly.Abandoned] = []
  /// Messages that were begun and given up, because a fragment did not come or for lack of room.
  private(set) var incompleteCount: UInt64 = 0

  /// What came of a frame. Every well-formed frame may be acknowledged, whatever came of it.
  enum Taken {
    case delivered
    /// A fragment of a message that is not complete yet.
    case kept
    /// It brought nothing new.
    case duplicate
    /// `sequenced`, and a newer one has been delivered.
    case stale
    /// A late fragment for whose message there is no room.
    case refused
    /// A fragment that speaks of another size than those before it.
    case contradiction
  }

  /// `reorderingTolerance` is how long a message may be missing before that is told.
  init(peer: PeerID, reorderingTolerance: Interval) {
    self.peer = peer
    missing = MissingNumbers(tolerance: reorderingTolerance)
  }

  /// Bytes held or set aside for unfinished messages.
  var heldBytes: Int { reassembly.heldBytes }

  /// When `advance` and `nextGap` have something to do.
  var deadline: Instant? { Instant.earlier(missing.deadline, reassembly.deadline) }

  /// Takes in a frame of an accepted packet; what is whole now goes to `sink`. Poll `nextGap`
  /// after each packet.
  mutating func take(
    _ frame: UnreliableFrame, of packet: Span<UInt8>, at now: Instant,
    into sink: inout some MessageSink
  ) -> Taken {
    let index = streams.index(of: frame.key, orInsert: ArrivedNumbers())
    if frame.key.isSequenced, frame.sequence < streams[index].next {
      return streams[index].contains(frame.sequence) ? .duplicate : .stale
    }
    guard !streams[index].contains(frame.sequence) else { return .duplicate }
    if frame.isWhole {
      deliver(packet.extracting(frame.bytes), frame, index: index, at: now, into: &sink)
      return .delivered
    }
    let outcome = reassembly.take(
      frame, of: packet, isNew: frame.sequence >= streams[index].next, at: now,
      abandoned: &abandoned)
    if !abandoned.isEmpty { noteAbandoned(at: now) }
    switch outcome {
    case .kept: return .kept
    case .duplicate: return .duplicate
    case .refused: return .refused
    case .contradiction: return .contradiction
    case .complete(let payload):
      // Giving up others may have moved the stream past this one.
      let isLate = frame.key.isSequenced && frame.sequence < streams[index].next
      guard !isLate, !streams[index].contains(frame.sequence) else { return .stale }
      deliver(payload.span, frame, index: index, at: now, into: &sink)
      reassembly.reuse(payload)
      return .delivered
    }
  }

  /// Gives up what has been unfinished for too long. Poll `nextGap` afterwards.
  mutating func advance(to now: Instant) {
    reassembly.advance(to: now, abandoned: &abandoned)
    if !abandoned.isEmpty { noteAbandoned(at: now) }
  }

  /// The next range of messages that have been missing for too long, or for any time where `all` is
  /// set. Called until it returns `nil`.
  mutating func nextGap(
    at now: Instant, all: Bool = false
  ) -> (channel: UInt8, delivery: Delivery, range: Range<UInt64>)? {
    guard let hole = missing.popFirst(at: now, all: all) else { return nil }
    return (hole.key.channel, hole.key.delivery, hole.range)
  }

  /// Gives memory back where nothing waits.
  mutating func releaseStorage() {
    reassembly.releaseStorage()
    missing.releaseStorage()
    if abandoned.isEmpty { abandoned = [] }
  }

  private mutating func deliver(
    _ payload: Span<UInt8>, _ frame: UnreliableFrame, index: Int, at now: Instant,
    into sink: inout some MessageSink
  ) {
    let next = streams[index].next
    streams[index].insert(frame.sequence)
    if frame.sequence > next {
      missing.insert(next..<frame.sequence, of: frame.key, at: now)
    } else if frame.sequence < next {
      missing.fill(frame.sequence, of: frame.key)
    }
    // Unfinished messages that this one has overtaken will not be delivered any more. A whole copy
    // of an unfinished one is delivered at once, and its fragments are done with too.
    if !reassembly.isEmpty {
      if frame.key.isSequenced {
        reassembly.removeAll(of: frame.key, below: frame.sequence + 1)
      } else {
        reassembly.remove(frame.key, sequence: frame.sequence)
      }
    }
    sink.append(
      payload, peer: peer, channel: frame.key.channel, delivery: frame.key.delivery,
      sequence: frame.sequence)
  }

  /// A message that was given up is missing even where none after it has come.
  private mutating func noteAbandoned(at now: Instant) {
    for message in abandoned {
      incompleteCount += 1
      let index = streams.index(of: message.key, orInsert: ArrivedNumbers())
      let next = streams[index].next
      guard message.sequence >= next else { continue }
      missing.insert(next..<(message.sequence + 1), of: message.key, at: now)
      streams[index].advance(to: message.sequence + 1)
    }
    abandoned.removeAll(keepingCapacity: true)
  }
}
