import Primitives

extension EventBatch {
  /// The next of everything that waits, a message with a copy of its payload; `nil` where all was
  /// read.
  public mutating func nextEvent() -> TransportEvent? {
    guard firstRun < runs.count else { return nil }
    defer { if isEmpty { reset() } }
    count -= 1
    if runs[firstRun].content == .event {
      firstRun += 1
      return events.popFirst()
    }
    let info = runs[firstRun].info
    var place = position
    let payload = Self.nextPayload(in: slab.span, at: &place)
    position = place
    if !runs[firstRun].removeFirst(1) { firstRun += 1 }
    return .message(
      ReceivedMessage(
        peer: info.peer, channel: info.channel, delivery: info.delivery, sequence: info.sequence,
        payload: slab.span.copy(payload)))
  }

  /// Lends the messages up to the next rare event to `body`, at most `limit`, in order, and returns
  /// how many those were: 0 where an event comes first or nothing waits. Nothing is copied.
  public mutating func readMessages(
    atMost limit: Int = .max, _ body: (Span<UInt8>, MessageInfo) -> Void
  ) -> Int {
    guard firstRun < runs.count, runs[firstRun].content != .event else { return 0 }
    // While they are lent the messages are out of reach for whatever `body` calls.
    var bytes: [UInt8] = []
    swap(&bytes, &slab)
    var position = position
    var index = firstRun
    var total = 0
    while total < limit, index < runs.count, runs[index].content != .event {
      let number = min(Int(runs[index].count), limit - total)
      Self.lend(number, of: runs[index], in: bytes.span, at: &position, to: body)
      total += number
      if !runs[index].removeFirst(number) { index += 1 }
    }
    precondition(slab.isEmpty, "a batch is left alone while its messages are lent")
    swap(&bytes, &slab)
    self.position = position
    firstRun = index
    count -= total
    if isEmpty { reset() }
    return total
  }

  /// Hands the messages up to the next event of another kind, at most `limit`, to `other`, behind
  /// what waits there; returns how many those were. Nothing is copied where they are all there is
  /// and nothing waits in `other`.
  package mutating func moveMessages(atMost limit: Int, to other: inout EventBatch) -> Int {
    if events.isEmpty, count <= limit {
      let number = count
      if number > 0 { other.append(&self) }
      return number
    }
    var moved = 0
    while moved < limit, firstRun < runs.count, runs[firstRun].content != .event {
      var part = runs[firstRun]
      let number = min(Int(part.count), limit - moved)
      part.count = UInt32(number)
      let end = Self.end(of: number, in: slab.span, from: position)
      other.append(part, slab.span.extracting(position..<end))
      position = end
      if !runs[firstRun].removeFirst(number) { firstRun += 1 }
      moved += number
    }
    count -= moved
    if isEmpty { reset() }
    return moved
  }

  /// Where `count` messages end of which the first stands at `start`.
  private static func end(of count: Int, in bytes: Span<UInt8>, from start: Int) -> Int {
    var place = start
    var stride = MessageStride()
    for _ in 0..<count {
      if stride.fits(bytes, at: place) {
        place += stride.size
      } else {
        let first = place
        _ = nextPayload(in: bytes, at: &place)
        stride.note(bytes, from: first, to: place)
      }
    }
    return place
  }

  private static func lend(
    _ count: Int, of run: EventRun, in bytes: Span<UInt8>, at position: inout Int,
    to body: (Span<UInt8>, MessageInfo) -> Void
  ) {
    var info = run.info
    var place = position
    var stride = MessageStride()
    var prefix = 0
    for index in 0..<UInt64(count) {
      if run.content == .numbered { info.sequence = run.firstSequence &+ index }
      if stride.fits(bytes, at: place) {
        body(bytes.extracting((place + prefix)..<(place + stride.size)), info)
        place += stride.size
      } else {
        let start = place
        let payload = nextPayload(in: bytes, at: &place)
        stride.note(bytes, from: start, to: place)
        prefix = payload.lowerBound - start
        body(bytes.extracting(payload), info)
      }
    }
    position = place
  }

  /// Where the payload of the message at `position` stands; moves on to the next message.
  @inline(__always)
  private static func nextPayload(in bytes: Span<UInt8>, at position: inout Int) -> Range<Int> {
    var start = position
    guard let length = bytes.messageLength(at: &start) else {
      preconditionFailure("what is in the slab was checked on its way in")
    }
    position = start + length
    return start..<position
  }

  /// Appends one whole message.
  package mutating func append(_ payload: Span<UInt8>, _ info: MessageInfo) {
    append(
      payload, peer: info.peer, channel: info.channel, delivery: info.delivery,
      sequence: info.sequence)
  }
}
