/// Something that waits in a batch: messages that stand together in its slab and differ only in
/// their numbers, or one rare event.
struct EventRun {
  enum Content: UInt8 {
    /// Messages with sequence numbers.
    case numbered
    /// Messages without.
    case unnumbered
    /// The next of the rare events.
    case event
  }

  var peer: PeerID
  /// The number of the first message that was not read yet.
  var firstSequence: UInt64
  /// How many messages were not read yet; 1 for an event.
  var count: UInt32
  var channel: UInt8
  var delivery: Delivery
  var content: Content

  static let event = EventRun(
    peer: PeerID(rawValue: 0), firstSequence: 0, count: 1, channel: 0, delivery: .unreliable,
    content: .event)

  init(
    peer: PeerID, firstSequence: UInt64, count: UInt32, channel: UInt8, delivery: Delivery,
    content: Content
  ) {
    self.peer = peer
    self.firstSequence = firstSequence
    self.count = count
    self.channel = channel
    self.delivery = delivery
    self.content = content
  }

  /// `count` messages with numbers from `firstSequence` on, or without where that is `nil`.
  init(count: Int, peer: PeerID, channel: UInt8, delivery: Delivery, firstSequence: UInt64?) {
    self.init(
      peer: peer, firstSequence: firstSequence ?? 0, count: UInt32(count), channel: channel,
      delivery: delivery, content: firstSequence == nil ? .unnumbered : .numbered)
  }

  /// What the next message is, apart from its payload.
  var info: MessageInfo {
    MessageInfo(
      peer: peer, channel: channel, delivery: delivery,
      sequence: content == .numbered ? firstSequence : nil)
  }

  /// Takes up the messages of `next` where they continue this run; returns whether they do.
  mutating func extend(with next: EventRun) -> Bool {
    guard content == next.content, content != .event, peer == next.peer, channel == next.channel,
      delivery == next.delivery, next.count <= UInt32.max - count,
      content == .unnumbered || next.firstSequence == firstSequence &+ UInt64(count)
    else { return false }
    count += next.count
    return true
  }

  /// Lets go of the first `number` messages; returns whether others are left.
  mutating func removeFirst(_ number: Int) -> Bool {
    firstSequence &+= UInt64(number)
    count -= UInt32(number)
    return count > 0
  }
}
