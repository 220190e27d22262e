import ChatTransport
import Primitives

/// What has arrived of the messages of one channel and one of the reliable kinds.
///
/// They come as pieces of one stream of bytes, `(length, payload)` for each message, in any order
/// and more than once. `ordered` messages are handed over in their order; `reliable` ones as soon
/// as they are whole, whatever is missing before them.
///
/// The owner asks for the `verdict` on each chunk and skip of a packet before anything takes
/// effect, then calls `take` and `skip`, and tells the other side what `windowUpdate` says.
/// Memory: the ring grows to what lies between `delivered` and `highest`, rounded up to a power of
/// two; it stays below twice the window or four times that, whichever is more. Nothing else grows
/// beyond `maximumPieces` records of each sort.
struct ReceiveStream {
  private let handling = HandledByAddress()
  /// Whether a frame may take effect.
  enum Verdict {
    case accept
    /// There is no room for it now: its packet must not be acknowledged.
    case beyondWindow
    /// No honest peer sends it.
    case malformed
  }

  /// What became of a frame.
  struct Taken: Equatable {
    /// Whether it brought anything that was not here before.
    var isNew = false
    /// How many messages were handed over.
    var delivered = 0
    /// Whether the peer broke the protocol; the connection has to end.
    var isMalformed = false

    static let duplicate = Taken()
    static let malformed = Taken(isMalformed: true)
  }

  /// The most separate pieces, messages that are not whole, and skips that are kept.
  static let maximumPieces = 1_024
  /// The largest payload of a message, in bytes.
  static let maximumMessageSize: UInt64 = 16 << 20

  let channel: UInt8
  let isOrdered: Bool
  /// Set while the user does not want messages of this stream.
  var isPaused = false

  /// All before this was handed over or given up; a message starts here.
  var next: UInt64 = 0
  /// All before this is here or was here.
  var contiguous: UInt64 = 0
  /// What else is here or was here: above `contiguous`, never touching it.
  var received = OffsetRanges()
  /// The bytes from `next` on that are not handed over.
  var ring = ByteRing()
  /// One above the highest offset that was taken in.
  var highest: UInt64 = 0
  /// Where the message that starts at `next` ends, where that is known and it is not whole.
  var openEnd: UInt64?
  /// `ordered`: the number of the message that starts at `next`.
  var nextSequence: UInt64 = 0
  /// Messages that were given up and of which the user was not told.
  var skips = ReceivedSkips()
  /// `reliable`: messages that have begun and were not handed over.
  var pending = PendingMessages()
  var window: ReceiveWindow

  /// A stream of which the peer may send `window` bytes ahead, as both sides know.
  init(channel: UInt8, isOrdered: Bool, window: Int) {
    self.channel = channel
    self.isOrdered = isOrdered
    self.window = ReceiveWindow(size: window)
  }

  var delivery: Delivery { isOrdered ? .ordered : .reliable }

  /// All before this was handed over: what credit is renewed by.
  var delivered: UInt64 { next }

  /// How much memory is held for bytes.
  var bufferedBytes: Int { ring.capacity }

  /// Says what may be done with a chunk, changing nothing. What fills the first gap is accepted
  /// whatever the number of pieces, so that there is always a way on.
  func verdict(offset: UInt64, count: Int) -> Verdict {
    let (end, overflows) = offset.addingReportingOverflow(UInt64(max(count, 0)))
    guard count > 0, !overflows, end <= variableLengthMaximum else { return .malformed }
    guard end <= window.limit else { return .beyondWindow }
    return offset <= contiguous || hasRoomForPieces ? .accept : .beyondWindow
  }

  var hasRoomForPieces: Bool {
    // A chunk adds at most two entries.
    received.count < Self.maximumPieces && pending.count < Self.maximumPieces - 1
  }

  /// Takes in a chunk that `verdict` accepted, `startsMessage` where it begins with a message's
  /// length, and hands over what has become whole, unless the stream is paused or the inbox has no
  /// room, which is when `mayDeliver` is not set.
  mutating func take(
    _ bytes: Span<UInt8>, at offset: UInt64, startsMessage: Bool, peer: PeerID, mayDeliver: Bool,
    into inbox: inout EventBatch
  ) -> Taken {
    let end = offset + UInt64(bytes.count)
    guard !holds(offset..<end) else { return .duplicate }
    let mayDeliver = mayDeliver && !isPaused
    var taken = Taken()
    if mayDeliver, offset <= next, contiguous == next, received.isEmpty {
      taken = takeNext(bytes, at: offset, peer: peer, into: &inbox)
    } else if isOrdered {
      takeOrdered(bytes, at: offset)
      taken = goOn(deliverFrom: mayDeliver ? peer : nil, into: &inbox)
    } else {
      let target = mayDeliver ? peer : nil
      taken =
        startsMessage
        ? takeStart(bytes, at: offset, deliverFrom: target, into: &inbox)
        : takeRest(bytes, at: offset, deliverFrom: target, into: &inbox)
      if mayDeliver, hasUndelivered {
        let more = deliver(peer: peer, into: &inbox)
        taken.delivered += more.delivered
        taken.isMalformed = taken.isMalformed || more.isMalformed
      }
      moveOn()
    }
    taken.isNew = true
    return taken
  }

  /// Whether all of `range` is here or was here.
  func holds(_ range: Range<UInt64>) -> Bool {
    range.upperBound <= contiguous || received.containsAll(range)
  }

  /// The common case: nothing is kept, and the chunk goes on where the last one ended. Whole
  /// messages go straight to the inbox, and only the beginning of another one is kept.
  private mutating func takeNext(
    _ bytes: Span<UInt8>, at offset: UInt64, peer: PeerID, into inbox: inout EventBatch
  ) -> Taken {
    let start = Int(next - offset)
    let walk = MessageWalk(over: bytes, from: start)
    inbox.append(
      run: bytes.extracting(start..<walk.end), count: walk.count, peer: peer, channel: channel,
      delivery: delivery, firstSequence: isOrdered ? nextSequence : nil)
    nextSequence += UInt64(walk.count)
    next = offset + UInt64(walk.end)
    contiguous = offset + UInt64(bytes.count)
    highest = max(highest, contiguous)
    ring.dropFirst(to: next)
    openEnd = nil
    if walk.end < bytes.count {
      ring.append(bytes.extracting(walk.end..<bytes.count))
      openEnd = walk.openEnd.map { offset + UInt64($0) }
      if !isOrdered { _ = pending.insertOpen(start: next, end: openEnd) }
    }
    return Taken(delivered: walk.count, isMalformed: isTooLarge(openEnd, from: next))
  }

  /// Whether a message with its length, from `start` to `end`, is larger than any may be.
  func isTooLarge(_ end: UInt64?, from start: UInt64) -> Bool {
    let largest = Self.maximumMessageSize + UInt64(variableLengthWidth(Self.maximumMessageSize))
    return if let end { end - start > largest } else { false }
  }

  /// Notes that all of `range` is here.
  mutating func note(_ range: Range<UInt64>) {
    highest = max(highest, range.upperBound)
    guard range.lowerBound <= contiguous else {
      received.insert(range)
      return
    }
    contiguous = max(contiguous, range.upperBound)
    while let first = received.first, first.lowerBound <= contiguous {
      contiguous = max(contiguous, first.upperBound)
      received.removeAll(below: contiguous)
    }
  }

  /// Whether the ring has every byte of `range`; false only where a peer contradicts itself.
  func ringHolds(_ range: Range<UInt64>) -> Bool {
    range.lowerBound >= ring.start && range.upperBound <= ring.end
  }
}
