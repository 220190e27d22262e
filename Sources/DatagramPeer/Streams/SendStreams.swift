import ChatTransport
import Primitives

/// All streams to one peer, and which of them is to be sent from next.
///
/// What was lost goes first. Then streams with little to send, in the order in which they got it;
/// then those with much, taking turns, a datagram each: a small message does not wait behind a
/// large one on another channel, and no channel waits for ever.
struct SendStreams: ~Copyable {
  private let handling = HandledByAddress()
  private enum Place: UInt8 {
    case none
    case urgent
    case bulk
  }

  private struct Mark {
    /// In which of the queues of fresh bytes it stands.
    var fresh = Place.none
    /// Whether it stands in the queue of lost bytes.
    var lost = false
  }

  private(set) var streams = Slab<SendStream>()
  private var marks: [Mark] = []
  private var table = StreamTable()
  private var urgent = Queue<UInt16>()
  private var bulk = Queue<UInt16>()
  private var lost = Queue<UInt16>()
  /// The streams that had fresh bytes to send last, the latest first; few.
  private(set) var recent: [UInt16] = []
  /// The window of the connection, and how much of it is used (Docs/WireFormat.md, "Windows").
  private(set) var limit = UInt64(ProtocolLimits.connectionWindow)
  private(set) var used: UInt64 = 0
  /// Whether a stream that has fresh bytes stands in no queue, perhaps for lack of that window.
  private var isCreditLimited = false
  /// Bytes that wait to be sent or acknowledged, with what holding messages costs.
  private(set) var heldBytes = 0
  /// No message has to be given up before this.
  private(set) var expiry: Instant?

  /// Up to so many bytes to send make a stream an urgent one.
  private static let urgentBytes = 2_048
  private static let recentLimit = 8

  /// How many more fresh bytes the connection's window allows.
  var credit: UInt64 { limit - used }

  /// Whether something may be sent, as far as the peer's windows are concerned.
  var hasWork: Bool { !lost.isEmpty || hasFresh }

  var hasLost: Bool { !lost.isEmpty }
  var hasFresh: Bool { credit > 0 && !(urgent.isEmpty && bulk.isEmpty) }
  /// Whether more waits than a datagram or two can carry.
  var hasBulk: Bool { !bulk.isEmpty }

  // MARK: The user's side

  mutating func append(
    _ payload: Span<UInt8>, to id: StreamID, message: MessageID, reports: Bool, expires: Instant?
  ) {
    let index = index(of: id)
    let before = streams[index].heldBytes
    streams[index].append(payload, id: message, reports: reports, expires: expires)
    heldBytes += streams[index].heldBytes - before
    if let expires { expiry = Instant.earlier(expiry, expires) }
    queueFresh(index)
  }

  /// Appends `count` messages in the form in which they go on the wire; none of them expires.
  mutating func append(
    run: Span<UInt8>, count: Int, to id: StreamID, first: MessageID, reports: Bool
  ) {
    let index = index(of: id)
    let before = streams[index].heldBytes
    streams[index].append(run: run, count: count, firstID: first, reports: reports)
    heldBytes += streams[index].heldBytes - before
    queueFresh(index)
  }

  /// Gives up the messages that have become too old.
  mutating func giveUpExpired(at now: Instant, ids: inout [MessageID]) {
    guard let due = expiry, due <= now else { return }
    expiry = nil
    for index in streams.slots {
      guard let own = streams[index].expiry else { continue }
      if own <= now {
        let before = streams[index].heldBytes
        streams[index].giveUpExpired(at: now, ids: &ids)
        heldBytes += streams[index].heldBytes - before
        queueFresh(index)
        queueLost(index)
      }
      if let next = streams[index].expiry { expiry = Instant.earlier(expiry, next) }
    }
  }

  /// Ends it all.
  mutating func removeAll(ids: inout [MessageID]) {
    for index in streams.slots { streams[index].removeAll(ids: &ids) }
    self = SendStreams()
  }

  /// Gives memory back where nothing is under way.
  mutating func releaseStorage() {
    for index in streams.slots where streams[index].isSettled {
      streams[index].releaseStorage()
    }
  }

  // MARK: The peer's side

  mutating func acknowledge(_ chunk: SentChunk, ids: inout [MessageID]) {
    let index = Int(chunk.stream)
    let before = streams[index].heldBytes
    streams[index].acknowledge(chunk.range, ids: &ids)
    heldBytes += streams[index].heldBytes - before
  }

  /// Whether all of a chunk that was sent is acknowledged.
  func isAcknowledged(_ chunk: SentChunk) -> Bool {
    streams[Int(chunk.stream)].isAcknowledged(chunk.range)
  }

  mutating func markLost(_ chunk: SentChunk) {
    streams[Int(chunk.stream)].markLost(chunk.range)
    queueLost(Int(chunk.stream))
  }

  /// Takes in a larger window of the connection; a smaller one was overtaken.
  mutating func raiseLimit(to limit: UInt64) {
    guard limit > self.limit else { return }
    self.limit = limit
    guard isCreditLimited else { return }
    isCreditLimited = false
    for index in streams.slots { queueFresh(index) }
  }

  /// Takes in a larger window of a stream. One to which nothing was sent is of no interest.
  mutating func raiseLimit(of id: StreamID, to limit: UInt64) {
    guard let index = table.index(of: id) else { return }
    streams[index].limit = max(streams[index].limit, limit)
    queueFresh(index)
  }

  // MARK: Writing

  /// Has to come before anything is written into a packet.
  mutating func beginPacket() {
    for stream in recent { streams[Int(stream)].beginPacket() }
  }

  /// Drops streams from the queue of lost bytes that have none any more.
  mutating func dropSettled() {
    while let index = lost.first, !streams[Int(index)].hasLost {
      lost.popFirst()
      marks[Int(index)].lost = false
    }
  }

  /// Writes lost bytes, as much as there is room for up to `end` of `output`.
  mutating func writeLost(
    upTo end: Int, into output: inout OutputSpan<UInt8>, chunks: inout [SentChunk]
  ) {
    while let index = lost.first {
      guard
        let range = streams[Int(index)].write(.lost, room: end - output.count, into: &output)
      else {
        if streams[Int(index)].hasLost { return }
        lost.popFirst()
        marks[Int(index)].lost = false
        continue
      }
      chunks.append(SentChunk(index, range))
    }
  }

  /// Writes fresh bytes, as much as there is room for up to `end` of `output`.
  mutating func writeFresh(
    upTo end: Int, into output: inout OutputSpan<UInt8>, chunks: inout [SentChunk]
  ) {
    while hasFresh {
      let place = urgent.isEmpty ? Place.bulk : .urgent
      guard let first = place == .urgent ? urgent.first : bulk.first else { return }
      let index = Int(first)
      let room = end - output.count
      // The rest of a packet is not worth the beginning of another message.
      if !chunks.isEmpty, room < SendStream.leastBeginning, streams[index].unsentBytes > room {
        return
      }
      let before = streams[index].sentEnd
      let written = streams[index].write(
        .fresh(credit: credit), room: room, into: &output)
      guard let range = written else {
        if streams[index].hasFresh(credit: credit) { return }
        leaveQueue(place, index)
        continue
      }
      used += streams[index].sentEnd - before
      chunks.append(SentChunk(first, range))
      noteRecent(first)
      let isUrgent = streams[index].unsentBytes <= Self.urgentBytes
      if !streams[index].hasFresh(credit: credit) || (place == .urgent && !isUrgent) {
        leaveQueue(place, index)
      }
    }
  }

  /// Lets the next of the streams with much to send have its turn.
  mutating func takeTurns() {
    guard bulk.count > 1, let first = bulk.popFirst() else { return }
    bulk.append(first)
  }

  /// Writes unacknowledged bytes of the last `sends` datagrams with fresh ones once more, at most
  /// `budget` bytes, where there is room. Returns how many bytes that were.
  mutating func writeRides(
    sends: Int, budget: Int, upTo end: Int, into output: inout OutputSpan<UInt8>,
    chunks: inout [SentChunk]
  ) -> Int {
    var written = 0
    for stream in recent {
      let index = Int(stream)
      streams[index].beginRides()
      while written < budget,
        let range = streams[index].write(
          .ride(sends: sends, budget: budget - written), room: end - output.count, into: &output)
      {
        chunks.append(SentChunk(stream, range))
        written += range.count
      }
    }
    return written
  }

  /// Writes the oldest bytes under way, for a probe.
  mutating func writeOldest(
    upTo end: Int, into output: inout OutputSpan<UInt8>, chunks: inout [SentChunk]
  ) {
    for index in streams.slots where streams[index].unacknowledged < streams[index].sentEnd {
      let written = streams[index].write(.oldest, room: end - output.count, into: &output)
      if let range = written {
        chunks.append(SentChunk(UInt16(index), range))
      }
    }
  }

  /// Writes a copy of what an earlier datagram carried, as far as it is not acknowledged.
  mutating func writeCopy(
    of chunk: SentChunk, upTo end: Int, into output: inout OutputSpan<UInt8>,
    chunks: inout [SentChunk]
  ) {
    let written = streams[Int(chunk.stream)].write(
      .copy(chunk.range), room: end - output.count, into: &output)
    if let range = written { chunks.append(SentChunk(chunk.stream, range)) }
  }

  // MARK: Queues

  private mutating func index(of id: StreamID) -> Int {
    if let index = table.index(of: id) { return index }
    table.append(id)
    marks.append(Mark())
    return streams.insert(
      SendStream(
        channel: id.channel, isOrdered: id.isOrdered, limit: UInt64(ProtocolLimits.streamWindow)))
  }

  private mutating func queueFresh(_ index: Int) {
    guard marks[index].fresh == .none else { return }
    guard streams[index].hasFresh(credit: credit) else {
      if streams[index].unsentBytes > 0 { isCreditLimited = true }
      return
    }
    if streams[index].unsentBytes <= Self.urgentBytes {
      marks[index].fresh = .urgent
      urgent.append(UInt16(index))
    } else {
      marks[index].fresh = .bulk
      bulk.append(UInt16(index))
    }
  }

  private mutating func leaveQueue(_ place: Place, _ index: Int) {
    if place == .urgent { urgent.popFirst() } else { bulk.popFirst() }
    marks[index].fresh = .none
    queueFresh(index)
  }

  private mutating func queueLost(_ index: Int) {
    guard !marks[index].lost, streams[index].hasLost else { return }
    marks[index].lost = true
    lost.append(UInt16(index))
  }

  private mutating func noteRecent(_ stream: UInt16) {
    guard recent.first != stream else { return }
    recent.removeAll { $0 == stream }
    recent.insert(stream, at: 0)
    if recent.count > Self.recentLimit { recent.removeLast() }
  }
}

extension SentChunk {
  fileprivate init(_ stream: UInt16, _ range: Range<UInt64>) {
    self.init(
      stream: stream, start: range.lowerBound,
      length: UInt32(range.upperBound - range.lowerBound))
  }
}
