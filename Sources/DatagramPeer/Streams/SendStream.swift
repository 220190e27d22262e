import ChatTransport
import Primitives

/// The sending end of a stream: keeps the bytes of all messages from the first unacknowledged one,
/// and knows of each what became of it.
///
/// The bytes are (length as a variable-length number, payload) of one message after the other.
/// Everything is told in ranges of offsets: what `write` returned is later said to be acknowledged
/// or lost.
struct SendStream {
  private let handling = HandledByAddress()
  let channel: UInt8
  let isOrdered: Bool
  /// Whether the last note goes on to the last message, whatever its count says: so that a message
  /// whose identifier follows need not be written down.
  var isLastNoteOpen = false
  /// The bytes from the first unacknowledged to the last accepted.
  var ring = ByteRing()
  /// All below was sent at least once.
  var sentEnd: UInt64 = 0
  /// Offsets below this may be sent: the receiver's window. It only grows.
  var limit: UInt64 {
    didSet { limit = max(limit, oldValue) }
  }
  /// The messages from the one with the first unacknowledged byte on.
  var boundaries = MessageBoundaries()
  /// The sequence number of the message that has the byte at `sentEnd`.
  var freshSequence: UInt64 = 0
  /// What is to be told, in ascending order of sequence numbers.
  var notes = RecordQueue<MessageNote>()
  /// Not later than the first expiry of a note.
  var nextExpiry = MessageNote.never
  /// What is acknowledged above `unacknowledged`.
  var acknowledged = OffsetRanges()
  /// What waits to be sent again.
  var lost = OffsetRanges()
  var rides = Rides()

  /// The largest payload of a message in bytes.
  static let maximumPayload = 1 << 24

  /// What to write.
  enum Part {
    /// What was lost, lowest first.
    case lost
    /// What was never sent; the connection's window has room for `credit` more bytes.
    case fresh(credit: UInt64)
    /// Again what was new in one of the last `sends` packets that brought anything new, at most
    /// `Rides.maximumSends` of them, or where it is `Int.max` all that is unacknowledged; at most
    /// `budget` bytes of the stream.
    case ride(sends: Int, budget: Int)
    /// The lowest unacknowledged bytes, for a probe.
    case oldest
    /// Again what of this range is not acknowledged.
    case copy(Range<UInt64>)
  }

  init(channel: UInt8, isOrdered: Bool, limit: UInt64) {
    self.channel = channel
    self.isOrdered = isOrdered
    self.limit = limit
  }

  /// All below is acknowledged.
  var unacknowledged: UInt64 { ring.start }
  /// All below was accepted.
  var end: UInt64 { ring.end }
  /// What the limit of the queue counts: the bytes that are kept, and the records of messages.
  var heldBytes: Int {
    ring.count + boundaries.count * MemoryLayout<UInt64>.stride
      + notes.count * MemoryLayout<MessageNote>.stride
  }
  var unsentBytes: Int { Int(end - sentEnd) }
  /// Whether all is acknowledged and nothing is kept.
  var isSettled: Bool { ring.isEmpty }
  var hasLost: Bool { !lost.isEmpty }
  /// When to call `giveUpExpired`. It may be too early where a message was acknowledged meanwhile.
  var expiry: Instant? {
    nextExpiry == MessageNote.never ? nil : Instant(nanoseconds: nextExpiry)
  }

  // MARK: - Accepting

  /// Accepts a message of at most `maximumPayload` bytes. It is given up at `expires`, or never;
  /// `reports` says whether its acknowledgement is to be told.
  mutating func append(_ payload: Span<UInt8>, id: MessageID, reports: Bool, expires: Instant?) {
    precondition(payload.count <= Self.maximumPayload, "a message has at most 16 MiB")
    ring.append(lengthAnd: payload)
    if reports || expires != nil || isLastNoteOpen {
      note(count: 1, firstID: id, reports: reports, expires: expires)
    }
    boundaries.append(end: ring.end)
  }

  /// Accepts `count` messages that are in the form of the stream already. None expires, and their
  /// identifiers follow one another.
  mutating func append(run: Span<UInt8>, count: Int, firstID: MessageID, reports: Bool) {
    guard count > 0 else { return }
    note(count: UInt64(count), firstID: firstID, reports: reports, expires: nil)
    boundaries.append(run: run, count: count, from: ring.end)
    ring.append(run)
  }

  /// Notes what has to be told of the next `count` messages.
  private mutating func note(count: UInt64, firstID: MessageID, reports: Bool, expires: Instant?) {
    let sequence = boundaries.nextSequence
    let goesOn = reports && expires == nil && isLastNoteOpen
    if goesOn, notes[notes.count - 1].id(of: sequence) == firstID { return }
    updateLastNote()
    isLastNoteOpen = false
    guard reports || expires != nil else { return }
    let expires = expires?.nanoseconds ?? MessageNote.never
    nextExpiry = min(nextExpiry, expires)
    notes.append(
      MessageNote(
        firstSequence: sequence, count: count, firstID: firstID.rawValue, expires: expires,
        reports: reports))
    isLastNoteOpen = expires == MessageNote.never
  }

  /// Makes the count of the last note right.
  mutating func updateLastNote() {
    guard isLastNoteOpen else { return }
    let last = notes.count - 1
    notes[last].count = boundaries.nextSequence - notes[last].firstSequence
  }

  // MARK: - Ending

  /// Gives the memory back where all is settled.
  mutating func releaseStorage() {
    guard isSettled else { return }
    ring.releaseStorage()
    boundaries.releaseStorage()
    notes = RecordQueue()
    acknowledged.removeAll()
    lost.removeAll()
  }
}
