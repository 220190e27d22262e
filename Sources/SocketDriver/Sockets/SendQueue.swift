import Primitives

/// Datagrams on their way into the kernel, in order, within bounds. Knows no socket: whoever owns
/// it says how a batch is sent.
struct SendQueue {
  private struct Entry {
    let path: Path
    let bytes: Range<Int>
    let segmentSize: UInt32
    /// How many datagrams it is on the wire.
    let datagramCount: Int
  }

  private let maximumDatagrams: Int
  private let maximumBytes: Int
  private var entries: [Entry] = []
  /// The bytes of all entries, one behind the other.
  private var storage: [UInt8] = []
  /// The first entry that has not been dealt with; those before it have.
  private var head = 0
  private let batch = DatagramBatch(capacity: 0)

  init(maximumDatagrams: Int, maximumBytes: Int) {
    self.maximumDatagrams = maximumDatagrams
    self.maximumBytes = maximumBytes
  }

  /// How many entries wait; one with a segment size counts once.
  var count: Int { entries.count - head }

  var byteCount: Int { storage.count - (head < entries.count ? entries[head].bytes.lowerBound : 0) }

  /// Copies a datagram into the queue; `false` where it would be over its bounds.
  mutating func append(_ bytes: Span<UInt8>, to path: Path, segmentSize: Int?) -> Bool {
    guard count < maximumDatagrams, byteCount + bytes.count <= maximumBytes || count == 0 else {
      return false
    }
    let start = storage.count
    unsafe bytes.withUnsafeBufferPointer { unsafe storage.append(contentsOf: $0) }
    let size = segmentSize.map { max(1, $0) } ?? 0
    entries.append(
      Entry(
        path: path, bytes: start..<storage.count, segmentSize: UInt32(size),
        datagramCount: size == 0 ? 1 : max(1, (bytes.count + size - 1) / size)))
    return true
  }

  /// Sends what it can by calls of `send`, which is given up to 64 datagrams and returns how many
  /// of them were dealt with. Stops where it deals with fewer.
  mutating func flush(
    into result: inout FlushResult, statistics: inout UDPSocketStatistics,
    _ send: (DatagramBatch, Int) -> Int
  ) {
    result.needsWritable = false
    while count > 0 {
      let offered = min(count, DatagramBatch.limit)
      let handled = sendBatch(of: offered, send)
      for index in 0..<handled {
        note(entries[head + index], batch[error: index], &result, &statistics)
      }
      head += handled
      guard handled == offered else {
        result.needsWritable = true
        break
      }
    }
    compact()
  }

  private mutating func sendBatch(
    of offered: Int, _ send: (DatagramBatch, Int) -> Int
  ) -> Int {
    let offer = entries[head..<(head + offered)]
    for (index, entry) in offer.enumerated() {
      batch.address(index, to: entry.path, segmentSize: entry.segmentSize)
    }
    return batch.withBytes(of: &storage, offer.lazy.map(\.bytes)) { send(batch, offered) }
  }

  private func note(
    _ entry: Entry, _ error: Int32, _ result: inout FlushResult,
    _ statistics: inout UDPSocketStatistics
  ) {
    guard error != 0 else {
      result.sent += entry.datagramCount
      statistics.datagramsSent &+= UInt64(entry.datagramCount)
      statistics.bytesSent &+= UInt64(entry.bytes.count)
      return
    }
    result.failed += entry.datagramCount
    statistics.sendErrors[error, default: 0] &+= UInt64(entry.datagramCount)
    if result.failures.count < FlushResult.failureLimit {
      result.failures.append(
        FlushResult.Failure(path: entry.path, error: SystemError(error, in: "sendmmsg")))
    }
  }

  /// Gives the room of what was sent back, when that is cheap: all is gone, or more than half.
  private mutating func compact() {
    if count == 0 {
      entries.removeAll(keepingCapacity: true)
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head > count {
      let shift = entries[head].bytes.lowerBound
      storage.removeSubrange(..<shift)
      entries.removeSubrange(..<head)
      head = 0
      entries = entries.map { entry in
        Entry(
          path: entry.path,
          bytes: (entry.bytes.lowerBound - shift)..<(entry.bytes.upperBound - shift),
          segmentSize: entry.segmentSize, datagramCount: entry.datagramCount)
      }
    }
  }
}
