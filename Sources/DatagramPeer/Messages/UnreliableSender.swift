import ChatTransport
import Primitives

/// Messages of the unreliable kinds that wait to be sent to one peer, first in, first out.
///
/// Each is forgotten as soon as it is written. Payloads lie one behind the other in one array, so
/// that a message costs no allocation.
struct UnreliableSender {
  private struct Entry {
    var key: UnreliableKey
    var size: Int32
    var sequence: UInt64
    var expires: Instant?
  }

  /// What one call of `write` wrote.
  struct Written: Equatable {
    var channel: UInt8
    var delivery: Delivery
    var sequence: UInt64
    /// How many bytes of the message were written.
    var byteCount: Int
    /// Whether all of the message has been written now.
    var isLast: Bool
  }

  private let byteLimit: Int
  private let countLimit: Int
  /// The room for frames in an empty packet, in bytes; follows the size of datagrams. Decides
  /// which messages are worth waiting for the next packet.
  var packetRoom: Int

  private var entries = Queue<Entry>()
  private var payloads: [UInt8] = []
  /// Where in `payloads` the first message begins.
  private var head = 0
  /// How much of the first message has been written.
  private var written = 0
  private var nextSequence = UnreliableTable<UInt64>()
  /// How many messages became too old while they waited.
  private(set) var expiredCount: UInt64 = 0

  /// What holding a message costs besides its payload, in bytes.
  static let messageCost = 48
  /// No fragment but the last is smaller, in bytes: what bounds their number at the receiver.
  static let minimumFragment = 256

  /// `byteLimit` is for payloads with `messageCost` each, `countLimit` for messages.
  init(byteLimit: Int, countLimit: Int, packetRoom: Int) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
    self.packetRoom = packetRoom
  }

  /// Bytes held, with what holding a message costs.
  var heldBytes: Int { payloads.count - head + entries.count * Self.messageCost }

  var hasWork: Bool { !entries.isEmpty }

  /// Takes a message in; false where it would be above a limit, and then nothing has changed.
  /// `expires` is when it is no longer worth sending.
  mutating func append(
    _ payload: Span<UInt8>, channel: UInt8, delivery: Delivery, expires: Instant? = nil
  ) -> Bool {
    precondition(!delivery.isReliable, "reliable kinds are streams")
    precondition(payload.count <= UnreliableFrame.maximumMessageSize, "64 KiB at most")
    guard entries.count < countLimit, heldBytes + payload.count + Self.messageCost <= byteLimit
    else { return false }
    let key = UnreliableKey(channel: channel, isSequenced: delivery == .sequenced)
    let index = nextSequence.index(of: key, orInsert: 0)
    let sequence = nextSequence[index]
    nextSequence[index] = sequence + 1
    entries.append(
      Entry(key: key, size: Int32(payload.count), sequence: sequence, expires: expires))
    payloads.append(addingCapacity: payload.count) { (output: inout OutputSpan<UInt8>) in
      output.append(contentsOf: payload)
    }
    return true
  }

  /// Writes one frame of the first message within `room` bytes of `output`; `nil` where there is no
  /// message, or none that should begin in so little room. Called until it returns `nil`.
  mutating func write(
    into output: inout OutputSpan<UInt8>, room: Int, at now: Instant
  ) -> Written? {
    dropExpired(at: now)
    guard let entry = entries.first else { return nil }
    let size = Int(entry.size)
    let wholeSize = UnreliableFrame.wholeSize(sequence: entry.sequence, payloadSize: size)
    if written == 0, wholeSize <= room {
      UnreliableFrame.emitWhole(
        key: entry.key, sequence: entry.sequence,
        payload: payloads.span.extracting(head..<(head + size)), into: &output)
      removeFirst()
      return Written(
        channel: entry.key.channel, delivery: entry.key.delivery, sequence: entry.sequence,
        byteCount: size, isLast: true)
    }
    if written == 0, wholeSize <= packetRoom, !isWorthFilling(room) { return nil }
    return writeFragment(of: entry, into: &output, room: room)
  }

  /// Forgets the first message, for a caller who makes room that way; false where there is none.
  mutating func dropFirst() -> Bool {
    guard !entries.isEmpty else { return false }
    removeFirst()
    return true
  }

  /// Forgets all that waits; the numbers go on.
  mutating func removeAll() {
    entries.removeAll()
    payloads.removeAll()
    head = 0
    written = 0
  }

  /// Gives memory back where nothing waits.
  mutating func releaseStorage() {
    if entries.isEmpty { removeAll() }
  }

  /// A message that fits one packet loses twice as often in two. So the rest of a packet stays
  /// empty for it, unless that would waste more than a third; smaller messages are never cut.
  private func isWorthFilling(_ room: Int) -> Bool { room >= packetRoom / 3 }

  private mutating func writeFragment(
    of entry: Entry, into output: inout OutputSpan<UInt8>, room: Int
  ) -> Written? {
    let size = Int(entry.size)
    let rest = size - written
    let capacity = UnreliableFrame.fragmentCapacity(
      sequence: entry.sequence, totalSize: size, offset: written, room: room)
    guard capacity >= min(rest, Self.minimumFragment), capacity > 0 else { return nil }
    let count = min(rest, capacity)
    let start = head + written
    UnreliableFrame.emitFragment(
      key: entry.key, sequence: entry.sequence, totalSize: size, offset: written,
      bytes: payloads.span.extracting(start..<(start + count)), into: &output)
    written += count
    let isLast = written == size
    if isLast { removeFirst() }
    return Written(
      channel: entry.key.channel, delivery: entry.key.delivery, sequence: entry.sequence,
      byteCount: count, isLast: isLast)
  }

  private mutating func dropExpired(at now: Instant) {
    while let expires = entries.first?.expires, expires <= now {
      removeFirst()
      expiredCount += 1
    }
  }

  private mutating func removeFirst() {
    guard let entry = entries.popFirst() else { return }
    head += Int(entry.size)
    written = 0
    if entries.isEmpty {
      payloads.removeAll(keepingCapacity: true)
      head = 0
    } else if head > payloads.count - head {
      // What moves is less than what was written since the last time, so it is paid for.
      payloads.removeFirst(head)
      head = 0
    }
  }
}
