import Primitives

/// Datagrams on their way into the kernel, in order, within bounds. Knows no socket: whoever owns
/// it says how a batch is sent.
///
/// A run of datagrams of one size goes to the kernel as one, which cuts it (UDP_SEGMENT). Where it
/// will not, the datagrams go one by one, and nothing is lost.
struct SendQueue {
  struct Entry {
    let path: Path
    /// What has not been dealt with.
    var bytes: Range<Int>
    /// The size of each datagram but the last; 0 for a single one.
    let segmentSize: Int
    /// The kernel would not cut it. If it takes a datagram of it alone, it does not cut at all.
    var isRefused = false
  }

  /// What one place of a batch holds: an entry or a part of it.
  private struct Piece {
    let entry: Int
    let bytes: Range<Int>
    let isRun: Bool
  }

  /// Whether runs are given to the kernel as such.
  var canSegment: Bool
  /// How often the kernel has refused to cut a run.
  private(set) var refusals: UInt64 = 0

  private let maximumDatagrams: Int
  private let maximumBytes: Int
  private var entries: [Entry] = []
  private let storage: SendStorage
  /// Where the next bytes go.
  private var tail = 0
  /// The first entry that has not been dealt with; those before it have.
  private var head = 0
  private var pieces: [Piece] = []
  private let batch = SendBatch()

  init(maximumDatagrams: Int, maximumBytes: Int, canSegment: Bool) {
    self.maximumDatagrams = maximumDatagrams
    self.maximumBytes = maximumBytes
    self.canSegment = canSegment
    storage = SendStorage(capacity: max(maximumBytes, 1 << 16))
  }

  /// How many entries wait; one with a segment size counts once.
  var count: Int { entries.count - head }

  var byteCount: Int { head < entries.count ? tail - entries[head].bytes.lowerBound : 0 }
}

// MARK: - Filling

extension SendQueue {
  /// Copies a datagram into the queue; `false` where it would be over its bounds.
  mutating func append(_ bytes: Span<UInt8>, to path: Path, segmentSize: Int?) -> Bool {
    guard count < maximumDatagrams, byteCount + bytes.count <= maximumBytes || count == 0,
      makeRoom(bytes.count)
    else { return false }
    storage.copy(bytes, to: tail)
    append(bytes.count, to: path, segmentSize: segmentSize)
    return true
  }

  /// Has `body` write up to `limit` bytes into the queue. They stay where it returns something and
  /// that is for `family`; what is for another is handed to `elsewhere`. Returns whether `body`
  /// had something, `nil` where there is no room.
  mutating func write(
    limit: Int, family: IPAddress.Family, _ body: (inout OutputSpan<UInt8>) -> Transmit?,
    elsewhere: (Span<UInt8>, Transmit) -> Void
  ) -> Bool? {
    guard count < maximumDatagrams, byteCount + limit <= max(maximumBytes, limit),
      makeRoom(limit)
    else { return nil }
    var transmit: Transmit?
    let written = storage.write(into: tail..<(tail + limit)) { transmit = body(&$0) }
    guard let transmit else { return false }
    if transmit.path.remote.ip.family == family {
      append(written, to: transmit.path, segmentSize: transmit.segmentSize)
    } else {
      storage.withBytes(of: tail..<(tail + written)) { elsewhere($0, transmit) }
    }
    return true
  }

  private mutating func append(_ count: Int, to path: Path, segmentSize: Int?) {
    let size = segmentSize.map { $0 > 0 && $0 < count ? $0 : 0 } ?? 0
    entries.append(Entry(path: path, bytes: tail..<(tail + count), segmentSize: size))
    tail += count
  }

  /// Whether there is room for `count` bytes behind the others, if need be after moving these.
  private mutating func makeRoom(_ count: Int) -> Bool {
    if tail + count <= storage.capacity { return true }
    guard head < entries.count else {
      reset()
      return count <= storage.capacity
    }
    let start = entries[head].bytes.lowerBound
    guard tail - start + count <= storage.capacity else { return false }
    storage.moveToStart(start..<tail)
    entries.removeSubrange(..<head)
    head = 0
    tail -= start
    for index in entries.indices {
      let bytes = entries[index].bytes
      entries[index].bytes = (bytes.lowerBound - start)..<(bytes.upperBound - start)
    }
    return true
  }

  private mutating func reset() {
    entries.removeAll(keepingCapacity: true)
    head = 0
    tail = 0
  }
}

// MARK: - Sending

extension SendQueue {
  /// Sends what it can by calls of `send`, which is given up to 64 datagrams or runs and returns
  /// how many of them were dealt with. Stops where it deals with fewer, unless it refused a run.
  mutating func flush(
    into result: inout FlushResult, statistics: inout UDPSocketStatistics,
    _ send: (SendBatch, Int) -> Int
  ) {
    result.needsWritable = false
    while head < entries.count {
      fillBatch()
      let handled = send(batch, pieces.count)
      for index in 0..<handled {
        note(pieces[index], batch[error: index], &result, &statistics)
      }
      guard handled < pieces.count else { continue }
      let piece = pieces[handled]
      guard piece.isRun, batch[error: handled] != 0 else {
        result.needsWritable = true
        break
      }
      refusals &+= 1
      entries[piece.entry].isRefused = true
    }
    if head == entries.count {
      reset()
    } else if head >= maximumDatagrams {
      entries.removeSubrange(..<head)
      head = 0
    }
  }

  private mutating func fillBatch() {
    pieces.removeAll(keepingCapacity: true)
    for index in head..<entries.count {
      let entry = entries[index]
      let isRun = entry.segmentSize > 0 && canSegment && !entry.isRefused
      let step = isRun ? entry.segmentSize * SendBatch.segmentLimit : entry.segmentSize
      var start = entry.bytes.lowerBound
      repeat {
        guard pieces.count < SendBatch.limit else { return }
        let end = step > 0 ? min(start + step, entry.bytes.upperBound) : entry.bytes.upperBound
        let size = isRun && end - start > entry.segmentSize ? entry.segmentSize : 0
        batch.set(
          pieces.count, start..<end, of: storage, segmentSize: size, to: entry.path)
        pieces.append(Piece(entry: index, bytes: start..<end, isRun: size > 0))
        start = end
      } while start < entry.bytes.upperBound
    }
  }

  private mutating func note(
    _ piece: Piece, _ error: Int32, _ result: inout FlushResult,
    _ statistics: inout UDPSocketStatistics
  ) {
    let entry = entries[piece.entry]
    let size = piece.isRun ? entry.segmentSize : piece.bytes.count
    let datagrams = piece.isRun ? (piece.bytes.count + size - 1) / size : 1
    if piece.bytes.upperBound == entry.bytes.upperBound {
      head = piece.entry + 1
    } else {
      entries[piece.entry].bytes = piece.bytes.upperBound..<entry.bytes.upperBound
    }
    guard error != 0 else {
      result.sent += datagrams
      statistics.datagramsSent &+= UInt64(datagrams)
      statistics.bytesSent &+= UInt64(piece.bytes.count)
      if entry.isRefused, size == entry.segmentSize { canSegment = false }
      return
    }
    result.failed += datagrams
    statistics.sendErrors[error, default: 0] &+= UInt64(datagrams)
    if result.failures.count < FlushResult.failureLimit {
      result.failures.append(
        FlushResult.Failure(
          path: entry.path, size: size, error: SystemError(error, in: "sendmmsg")))
    }
  }
}
