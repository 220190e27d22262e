import ChatTransport
import Primitives

/// All streams from one peer, and the windows it is told.
struct ReceiveStreams: ~Copyable {
  private let handling = HandledByAddress()
  private(set) var streams = Slab<ReceiveStream>()
  /// When each stream last got something new.
  private var progress: [Instant] = []
  private var table = StreamTable()
  /// Streams whose window has to be told, by their place.
  private var owedWindows = Queue<UInt16>()
  private var owesWindow = false
  /// What the peer was told: the sum of the highest offsets of all streams may be this much.
  private(set) var limit = UInt64(ProtocolLimits.connectionWindow)
  /// The sum of the highest offsets that came.
  private(set) var used: UInt64 = 0
  /// Bytes handed over, of all streams.
  private(set) var delivered: UInt64 = 0
  /// Bytes of the messages that are next on their streams and have begun without being whole.
  private var begun: UInt64 = 0
  /// Memory held for what cannot be handed over yet.
  private(set) var bufferedBytes = 0
  /// Whether a stream holds whole messages back.
  private(set) var hasUndelivered = false
  /// The smoothed round-trip time, by which windows grow.
  var roundTrip: Interval?
  /// Whether there is memory for more than one large message at once.
  var hasMemory = true
  private var latest = Instant.zero
  private let maximumStreamWindow: Int
  private let maximumWindow: Int

  init(maximumStreamWindow: Int, maximumWindow: Int) {
    self.maximumStreamWindow = maximumStreamWindow
    self.maximumWindow = maximumWindow
  }

  /// How far a window may grow beyond its maximum for one large message.
  private var extra: Int { ProtocolLimits.reliableMessageSize + 8 }
  /// How far that of the connection may grow for messages that have begun: their senders can only
  /// finish them if what others hold leaves them the room.
  private var roomForBegun: UInt64 { UInt64(hasMemory ? 3 * extra : extra) }

  /// Whether the packet with this chunk may be accepted at all.
  ///
  /// - Parameter mayBuffer: whether there is memory for what is out of order.
  func accepts(_ chunk: StreamChunkFrame, mayBuffer: Bool) -> Bool {
    let end = chunk.offset + UInt64(chunk.payload.count)
    guard let index = table.find(chunk.stream) else {
      return end <= UInt64(ProtocolLimits.streamWindow) && isWithinWindow(end)
        && (mayBuffer || chunk.offset == 0)
    }
    return streams[index].verdict(offset: chunk.offset, count: chunk.payload.count) == .accept
      && (end <= streams[index].highest || isWithinWindow(end - streams[index].highest))
      && (mayBuffer || chunk.offset <= streams[index].contiguous)
  }

  func accepts(_ skip: SkipFrame) -> Bool {
    let end = skip.range.upperBound
    guard let index = table.find(skip.stream) else {
      return skip.range.lowerBound <= UInt64(ProtocolLimits.streamWindow) && isWithinWindow(end)
    }
    return streams[index].verdict(onSkip: skip.range, count: skip.count) == .accept
      && (end <= streams[index].highest || isWithinWindow(end - streams[index].highest))
  }

  /// Whether the peer may use so much more of the connection's window. The frames of one packet are
  /// judged one by one, so that together they may exceed it by a packet's worth.
  private func isWithinWindow(_ count: UInt64) -> Bool {
    let slack: UInt64 = 65_536
    return count <= limit + slack - min(used, limit + slack)
  }

  mutating func take(
    _ chunk: StreamChunkFrame, of packet: Span<UInt8>, peer: PeerID, mayDeliver: Bool,
    at now: Instant, into inbox: inout EventBatch
  ) -> ReceiveStream.Taken {
    let index = index(of: chunk.stream)
    let before = Figures(streams[index])
    let taken = streams[index].take(
      packet.extracting(chunk.payload), at: chunk.offset, startsMessage: chunk.startsMessage,
      peer: peer, mayDeliver: mayDeliver, into: &inbox)
    if taken.isNew { progress[index] = now }
    latest = now
    account(index, since: before)
    return taken
  }

  mutating func take(
    _ skip: SkipFrame, peer: PeerID, mayDeliver: Bool, at now: Instant, into inbox: inout EventBatch
  ) -> ReceiveStream.Taken {
    let index = index(of: skip.stream)
    let before = Figures(streams[index])
    let taken = streams[index].skip(
      skip.range, firstSequence: skip.firstSequence, count: skip.count, peer: peer,
      mayDeliver: mayDeliver, into: &inbox)
    if taken.isNew { progress[index] = now }
    latest = now
    account(index, since: before)
    return taken
  }

  /// Hands over what was held back and is not paused.
  mutating func deliver(peer: PeerID, into inbox: inout EventBatch) -> ReceiveStream.Taken {
    var taken = ReceiveStream.Taken()
    guard hasUndelivered else { return taken }
    hasUndelivered = false
    for index in streams.slots where streams[index].hasUndelivered && !streams[index].isPaused {
      let before = Figures(streams[index])
      let more = streams[index].deliver(peer: peer, into: &inbox)
      taken.delivered += more.delivered
      taken.isMalformed = taken.isMalformed || more.isMalformed
      account(index, since: before)
    }
    return taken
  }

  /// Holds the messages of a stream back, or hands them over again.
  mutating func pause(_ id: StreamID, _ isPaused: Bool) {
    let index = index(of: id)
    streams[index].isPaused = isPaused
    // `deliver` passed it by while it was paused, and will not look at it again by itself.
    if !isPaused, streams[index].hasUndelivered { hasUndelivered = true }
  }

  // MARK: Windows

  /// Whether there is a window to tell the peer.
  var owesWindows: Bool { owesWindow || !owedWindows.isEmpty }

  /// Writes the windows that are owed, as many as there is room for. Returns whether any was.
  mutating func writeWindows(upTo end: Int, into output: inout OutputSpan<UInt8>) -> Bool {
    let start = output.count
    let window = WindowFrame(limit: limit)
    if owesWindow, window.size <= end - output.count {
      window.emit(into: &output)
      owesWindow = false
    }
    while let index = owedWindows.first {
      let window = StreamWindowFrame(
        isOrdered: streams[Int(index)].isOrdered, channel: streams[Int(index)].channel,
        limit: streams[Int(index)].window.limit)
      guard window.size <= end - output.count else { break }
      owedWindows.popFirst()
      window.emit(into: &output)
    }
    return output.count > start
  }

  /// A packet with windows was lost: tells all of them again, as the newest are all that counts.
  mutating func repeatWindows() {
    owesWindow = true
    owedWindows.removeAll()
    for index in streams.slots where streams[index].limit > UInt64(ProtocolLimits.streamWindow) {
      owedWindows.append(UInt16(index))
    }
  }

  /// Gives memory back where nothing is held.
  mutating func releaseStorage() {
    for index in streams.slots where streams[index].bufferedBytes > 0 {
      let before = Figures(streams[index])
      streams[index].releaseStorage()
      account(index, since: before)
    }
  }

  /// Whether something is held that cannot be handed over yet.
  var isUnfinished: Bool { bufferedBytes > 0 }

  /// Whether a message has been unfinished for `limit`, although its stream is read.
  func isStalled(for limit: Interval, at now: Instant) -> Bool {
    streams.slots.contains { index in
      !streams[index].isPaused && !streams[index].hasUndelivered
        && streams[index].highest > streams[index].delivered && progress[index] + limit <= now
    }
  }

  // MARK: Bookkeeping

  private struct Figures {
    var highest: UInt64
    var delivered: UInt64
    var begun: UInt64
    var buffered: Int

    init(_ stream: borrowing ReceiveStream) {
      highest = stream.highest
      delivered = stream.delivered
      // One that is longer than any may be ends the connection, but only after its packet.
      let size = if let end = stream.openEnd { end - stream.next } else { UInt64(0) }
      begun = min(size, ReceiveStream.maximumMessageSize + 8)
      buffered = stream.bufferedBytes
    }
  }

  private mutating func account(_ index: Int, since before: Figures) {
    let after = Figures(streams[index])
    used += after.highest - before.highest
    delivered += after.delivered - before.delivered
    begun = begun + after.begun - before.begun
    bufferedBytes += after.buffered - before.buffered
    if streams[index].hasUndelivered { hasUndelivered = true }
    let update = streams[index].windowUpdate(
      maximumWindow: maximumStreamWindow, extra: extra, at: latest, roundTrip: roundTrip)
    if case .limit = update { owedWindows.append(UInt16(index)) }
    moveLimit()
  }

  /// Moves the connection's window on where half of it was handed over, or as much as the peer has
  /// left: what one stream holds back must not keep the others from their part.
  private mutating func moveLimit() {
    let window = UInt64(maximumWindow) + min(begun, roomForBegun)
    guard delivered + window > limit else { return }
    let gain = delivered + window - limit
    guard gain > window / 2 || gain >= limit - min(used, limit) else { return }
    limit += gain
    owesWindow = true
  }

  private mutating func index(of id: StreamID) -> Int {
    if let index = table.index(of: id) { return index }
    table.append(id)
    progress.append(.zero)
    return streams.insert(
      ReceiveStream(
        channel: id.channel, isOrdered: id.isOrdered, window: ProtocolLimits.streamWindow))
  }
}
