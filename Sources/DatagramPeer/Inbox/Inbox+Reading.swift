import ChatTransport
import Primitives

extension Inbox {
  /// The next of everything that waits, a message with a copy of its payload.
  mutating func popEvent() -> TransportEvent? {
    guard firstRun < runs.count else { return nil }
    defer { if isEmpty { reset() } }
    waitingEvents -= 1
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
  mutating func readMessages(
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
      let count = min(Int(runs[index].count), limit - total)
      Self.lend(count, of: runs[index], in: bytes.span, at: &position, to: body)
      total += count
      if !runs[index].removeFirst(count) { index += 1 }
    }
    precondition(slab.isEmpty, "the inbox is left alone while its messages are lent")
    swap(&bytes, &slab)
    self.position = position
    firstRun = index
    waitingEvents -= total
    if isEmpty { reset() }
    return total
  }

  private static func lend(
    _ count: Int, of run: InboxRun, in bytes: Span<UInt8>, at position: inout Int,
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
}
