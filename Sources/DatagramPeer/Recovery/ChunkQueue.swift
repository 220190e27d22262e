/// The chunks of sent packets that did not fit into their records, in the order of sending.
///
/// Places are counted from the first chunk ever, modulo 2^32; they are never ordered, only
/// subtracted from each other.
struct ChunkQueue {
  private var storage: [SentChunk] = []
  private var start: UInt32 = 0
  private(set) var end: UInt32 = 0

  var capacity: Int { storage.count }

  subscript(place: UInt32) -> SentChunk {
    storage[Int(truncatingIfNeeded: place) & (storage.count - 1)]
  }

  mutating func append(_ chunk: SentChunk) {
    if Int(end &- start) == storage.count { grow() }
    storage[Int(truncatingIfNeeded: end) & (storage.count - 1)] = chunk
    end &+= 1
  }

  mutating func dropFirst(to place: UInt32) {
    start = place
  }

  mutating func releaseStorage() {
    precondition(start == end, "no memory is given back that is in use")
    storage = []
  }

  private mutating func grow() {
    let capacity = max(8, storage.count * 2)
    var larger = [SentChunk](
      repeating: SentChunk(stream: 0, start: 0, length: 0), count: capacity)
    for offset in 0..<UInt32(truncatingIfNeeded: storage.count) {
      let place = start &+ offset
      larger[Int(truncatingIfNeeded: place) & (capacity - 1)] = self[place]
    }
    storage = larger
  }
}
