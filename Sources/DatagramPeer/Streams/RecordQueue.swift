/// First in, first out, for small records: an array whose front is taken away in large steps, so
/// that a record costs no more than its own bytes and about a nanosecond at each end.
struct RecordQueue<Record> {
  private var storage: [Record] = []
  private var head = 0

  /// Below this many dead records at the front it is not worth moving those behind.
  private static var leastMove: Int { 64 }

  var count: Int { storage.count - head }
  var isEmpty: Bool { storage.count == head }

  /// The record `index` places behind the first.
  subscript(index: Int) -> Record {
    get { storage[head + index] }
    _modify { yield &storage[head + index] }
  }

  mutating func append(_ record: Record) {
    storage.append(record)
  }

  /// Appends what `fill` writes, at most `count` records.
  mutating func append(count: Int, fill: (inout OutputSpan<Record>) -> Void) {
    storage.append(addingCapacity: count) { (output: inout OutputSpan<Record>) in fill(&output) }
  }

  mutating func dropFirst(_ count: Int) {
    head += count
    if head == storage.count {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= Self.leastMove, head >= storage.count - head {
      storage.removeFirst(head)
      head = 0
    }
  }
}

extension RecordQueue: Sendable where Record: Sendable {}
