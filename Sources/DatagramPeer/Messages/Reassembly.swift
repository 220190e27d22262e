import ChatTransport
import Primitives

/// Unfinished messages from one peer. A lost fragment is not sent again, so they do not stay long.
struct Reassembly {
  private var partials: [PartialMessage] = []
  /// The sum of the sizes that the unfinished messages will have.
  private(set) var heldBytes = 0
  /// The array of a message that is done with, for the next one.
  private var spare: [UInt8] = []

  /// Bounds for one peer: unfinished messages, the sum of their sizes in bytes, and how long one
  /// stays without growing.
  static let maximumCount = 16
  static let maximumBytes = 1 << 18
  static let maximumAge = Interval.seconds(1)

  /// What came of a fragment.
  enum Outcome {
    case kept
    /// It brought nothing new.
    case duplicate
    /// There is no room for its message.
    case refused
    /// It speaks of another size than those before it.
    case contradiction
    /// The message is complete: its bytes.
    case complete([UInt8])
  }

  var isEmpty: Bool { partials.isEmpty }

  /// When the next message is given up: not before this, and not much later.
  private(set) var deadline: Instant?

  /// Takes in a fragment. Where there is no room and it is of a new message, those that have not
  /// grown for the longest time are given up, and named in `abandoned`. What comes late, perhaps of
  /// a message that was given up itself, has to find room.
  mutating func take(
    _ frame: UnreliableFrame, of packet: Span<UInt8>, isNew: Bool, at now: Instant,
    abandoned: inout [Abandoned]
  ) -> Outcome {
    let bytes = packet.extracting(frame.bytes)
    var index = partials.lastIndex { $0.sequence == frame.sequence && $0.key == frame.key }
    if let index, partials[index].totalSize != frame.totalSize { return .contradiction }
    if index == nil {
      while partials.count >= Self.maximumCount || heldBytes + frame.totalSize > Self.maximumBytes {
        guard isNew else { return .refused }
        giveUpOldest(&abandoned)
      }
      partials.append(PartialMessage(frame, storage: takeSpare(), at: now))
      heldBytes += frame.totalSize
      index = partials.count - 1
      if deadline == nil { deadline = now + Self.maximumAge }
    }
    guard let index, partials[index].insert(bytes, at: frame.offset, at: now) else {
      return .duplicate
    }
    guard partials[index].isComplete else { return .kept }
    heldBytes -= frame.totalSize
    let partial = partials.remove(at: index)
    if partials.isEmpty { deadline = nil }
    return .complete(partial.finish())
  }

  /// A message that was given up.
  struct Abandoned: Equatable {
    var key: UnreliableKey
    var sequence: UInt64
  }

  /// Gives up what has not grown for too long.
  mutating func advance(to now: Instant, abandoned: inout [Abandoned]) {
    guard let due = deadline, due <= now else { return }
    deadline = nil
    for index in partials.indices.reversed() {
      let end = partials[index].latest + Self.maximumAge
      if end <= now {
        remove(at: index, &abandoned)
      } else {
        deadline = Instant.earlier(deadline, end)
      }
    }
  }

  /// Forgets messages of a stream that runs forward only, below `sequence`.
  mutating func removeAll(of key: UnreliableKey, below sequence: UInt64) {
    for index in partials.indices.reversed()
    where partials[index].key == key && partials[index].sequence < sequence {
      heldBytes -= partials[index].totalSize
      partials.remove(at: index)
    }
    if partials.isEmpty { deadline = nil }
  }

  /// Forgets one message, where there is something of it.
  mutating func remove(_ key: UnreliableKey, sequence: UInt64) {
    guard let index = partials.lastIndex(where: { $0.sequence == sequence && $0.key == key })
    else { return }
    heldBytes -= partials[index].totalSize
    partials.remove(at: index)
    if partials.isEmpty { deadline = nil }
  }

  /// Takes an array back whose message is delivered.
  mutating func reuse(_ storage: consuming [UInt8]) {
    spare = storage
  }

  mutating func releaseStorage() {
    spare = []
    if partials.isEmpty { partials = [] }
  }

  private mutating func takeSpare() -> [UInt8] {
    var storage: [UInt8] = []
    swap(&storage, &spare)
    return storage
  }

  private mutating func giveUpOldest(_ abandoned: inout [Abandoned]) {
    var oldest = 0
    for index in partials.indices.dropFirst()
    where partials[index].latest < partials[oldest].latest {
      oldest = index
    }
    remove(at: oldest, &abandoned)
  }

  private mutating func remove(at index: Int, _ abandoned: inout [Abandoned]) {
    let partial = partials.remove(at: index)
    heldBytes -= partial.totalSize
    abandoned.append(Abandoned(key: partial.key, sequence: partial.sequence))
  }
}
