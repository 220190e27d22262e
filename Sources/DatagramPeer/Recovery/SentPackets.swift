import Primitives

/// The records of sent packets by their numbers: a ring without holes, from `first` to `end`.
///
/// Beside it there is a bit for each record that is open, which is to say that an acknowledgement
/// of it would still tell something. So an acknowledgement that repeats what is known costs a
/// step for 64 packets, whatever ranges a peer comes up with.
struct SentPackets {
  /// The lowest number that is remembered.
  private(set) var first: UInt64 = 0
  /// One above the highest number that was sent or skipped.
  private(set) var end: UInt64 = 0
  private var records: [SentRecord] = []
  private var open: [UInt64] = []
  private var further = ChunkQueue()

  private static let minimumCapacity = 16

  var isEmpty: Bool { first == end }
  var count: Int { Int(end - first) }
  /// Records and chunks for which there is memory.
  var capacity: (records: Int, chunks: Int) { (records.count, further.capacity) }

  subscript(number: UInt64) -> SentRecord {
    @inline(__always) get { records[place(of: number)] }
  }

  mutating func setState(_ state: SentRecord.State, of number: UInt64) {
    records[place(of: number)].state = state
  }

  /// Notes a packet; numbers between the last one and this were never sent.
  mutating func append(
    _ record: consuming SentRecord, number: UInt64, isOpen: Bool, chunks: [SentChunk]
  ) {
    precondition(number >= end, "packet numbers ascend")
    if isEmpty {
      first = number
      end = number
    }
    while end < number { append(SentRecord(), isOpen: false) }
    if chunks.count > 0 { record.chunk = chunks[0] }
    if chunks.count > 1 { record.furtherCount = UInt16(chunks.count - 1) }
    append(record, isOpen: isOpen)
    var index = 1
    while index < chunks.count {
      further.append(chunks[index])
      index += 1
    }
  }

  @inline(__always)
  private mutating func append(_ record: consuming SentRecord, isOpen: Bool) {
    if count == records.count { grow() }
    record.furtherStart = further.end
    let place = place(of: end)
    records[place] = record
    let bit = UInt64(1) << UInt64(place & 63)
    if isOpen { open[place >> 6] |= bit } else { open[place >> 6] &= ~bit }
    end += 1
  }

  /// Where nothing is remembered, the next number is `number`.
  mutating func skip(to number: UInt64) {
    precondition(isEmpty && number >= end, "only an empty ring skips")
    first = number
    end = number
  }

  func furtherChunk(_ index: Int, of record: SentRecord) -> SentChunk {
    further[record.furtherStart &+ UInt32(truncatingIfNeeded: index)]
  }

  func isOpen(_ number: UInt64) -> Bool {
    let place = place(of: number)
    return open[place >> 6] >> UInt64(place & 63) & 1 == 1
  }

  mutating func close(_ number: UInt64) {
    let place = place(of: number)
    open[place >> 6] &= ~(1 << UInt64(place & 63))
  }

  /// Closes what is open from `number` up to `last`, as far as one step goes. Returns a bit for
  /// each of them, the lowest for `number`, and how many numbers the step took.
  @inline(__always)
  mutating func closeStep(from number: UInt64, through last: UInt64) -> (
    bits: UInt64, width: UInt64
  ) {
    let place = place(of: number)
    let shift = UInt64(place & 63)
    let width = min(UInt64(min(64 - (place & 63), records.count - place)), last - number + 1)
    let bits = open[place >> 6] >> shift & (~0 >> (64 - width))
    open[place >> 6] &= ~(bits << shift)
    return (bits, width)
  }

  /// The lowest open number from `number` up, below `limit`.
  func nextOpen(from number: UInt64, below limit: UInt64) -> UInt64? {
    var number = number
    while number < limit {
      let place = place(of: number)
      let bits = open[place >> 6] >> UInt64(place & 63)
      let width = UInt64(min(64 - (place & 63), records.count - place))
      if bits != 0 {
        let offset = UInt64(bits.trailingZeroBitCount)
        if offset < width { return number + offset < limit ? number + offset : nil }
      }
      number += width
    }
    return nil
  }

  /// Forgets everything below `number`.
  mutating func dropFirst(to number: UInt64) {
    precondition(number >= first && number <= end, "only what is there is forgotten")
    further.dropFirst(to: number == end ? further.end : self[number].furtherStart)
    first = number
  }

  /// Gives all memory back; nothing may be remembered.
  mutating func releaseStorage() {
    precondition(isEmpty, "no memory is given back that is in use")
    records = []
    open = []
    further.releaseStorage()
  }

  @inline(__always)
  private func place(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: number) & (records.count - 1)
  }

  private mutating func grow() {
    let capacity = max(Self.minimumCapacity, records.count * 2)
    var larger = [SentRecord](repeating: SentRecord(), count: capacity)
    var bits = [UInt64](repeating: 0, count: (capacity + 63) / 64)
    for number in first..<end {
      let place = Int(truncatingIfNeeded: number) & (capacity - 1)
      larger[place] = self[number]
      if isOpen(number) { bits[place >> 6] |= 1 << UInt64(place & 63) }
    }
    records = larger
    open = bits
  }
}
