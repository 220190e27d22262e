/// The bytes of a stream from `start` to `end`, each found by its offset from the start of the
/// stream: circular, so that taking from the front and adding at the back never move any.
///
/// The capacity is a power of two and grows by doubling; it shrinks only by `releaseStorage`. What
/// is kept is bounded by whoever writes: each write beyond the capacity allocates.
public struct ByteRing: Sendable {
  /// The lowest offset that is kept.
  public private(set) var start: UInt64
  /// One above the highest offset that was written.
  public private(set) var end: UInt64
  /// Byte n of the stream is at n modulo the size, which is 0 or a power of two.
  private var storage: [UInt8] = []

  /// The smallest storage, in bytes.
  private static let minimumCapacity = 256

  public init() {
    self.init(start: 0)
  }

  /// A ring that begins at offset `start` of its stream.
  public init(start: UInt64) {
    self.start = start
    end = start
  }

  public var isEmpty: Bool { start == end }
  /// How many bytes there are between `start` and `end`.
  public var count: Int { Int(end - start) }
  /// How many bytes of memory are held.
  public var capacity: Int { storage.count }

  /// Appends `bytes` at `end`.
  public mutating func append(_ bytes: Span<UInt8>) {
    reserve(until: end + UInt64(bytes.count))
    put(bytes, at: end)
    end += UInt64(bytes.count)
  }

  /// Appends the bytes' number as a variable-length number (RFC 9000, section 16), and the bytes.
  public mutating func append(lengthAnd bytes: Span<UInt8>) {
    append(variableLength: UInt64(bytes.count), then: bytes)
  }

  /// Appends a variable-length number (RFC 9000, section 16) in its shortest form; below 2^62.
  public mutating func append(variableLength value: UInt64) {
    append(variableLength: value, then: Span())
  }

  @inline(__always)
  private mutating func append(variableLength value: UInt64, then bytes: Span<UInt8>) {
    let (coded, width) = variableLengthForm(value)
    let upper = end + UInt64(width) + UInt64(bytes.count)
    reserve(until: upper)
    let first = position(end)
    if width + bytes.count <= storage.count - first {
      storage.overwrite(at: first, with: coded, width: width, then: bytes)
    } else {
      for index in 0..<width {
        let byte = UInt8(truncatingIfNeeded: coded >> (UInt64(width - 1 - index) * 8))
        storage[position(end + UInt64(index))] = byte
      }
      put(bytes, at: end + UInt64(width))
    }
    end = upper
  }

  /// Writes `bytes` at `offset`, which is not below `start`. What lies between `end` and `offset`
  /// has no certain value until it is written.
  public mutating func write(_ bytes: Span<UInt8>, at offset: UInt64) {
    precondition(offset >= start, "only offsets that are kept are written")
    guard !bytes.isEmpty else { return }
    let upper = offset + UInt64(bytes.count)
    reserve(until: upper)
    put(bytes, at: offset)
    end = max(end, upper)
  }

  /// Lets go of what is below `offset`. Where that is beyond `end`, nothing is left and the ring
  /// goes on at `offset`. An offset below `start` changes nothing.
  public mutating func dropFirst(to offset: UInt64) {
    guard offset > start else { return }
    start = offset
    end = max(end, offset)
  }

  /// Gives the memory back where nothing is kept.
  public mutating func releaseStorage() {
    if isEmpty { storage = [] }
  }

  /// Appends the bytes in `range`, all of which are kept, to `output`, which has room.
  public func copy(_ range: Range<UInt64>, into output: inout OutputSpan<UInt8>) {
    let (first, second) = places(of: range)
    output.append(storage, first)
    if !second.isEmpty { output.append(storage, second) }
  }

  /// Appends the bytes in `range`, all of which are kept, to `array`.
  public func copy(_ range: Range<UInt64>, appendingTo array: inout [UInt8]) {
    let (first, second) = places(of: range)
    array.append(storage, first)
    if !second.isEmpty { array.append(storage, second) }
  }

  /// The byte at `offset`, which is kept.
  public subscript(offset: UInt64) -> UInt8 {
    precondition(offset >= start && offset < end, "only offsets that are kept are read")
    return storage[position(offset)]
  }

  /// The variable-length number at `offset`, and how many bytes it takes; `nil` where not all of
  /// them are kept or where they are not all below `limit`.
  public func variableLength(at offset: UInt64, below limit: UInt64) -> (value: UInt64, width: Int)?
  {
    let limit = min(limit, end)
    guard offset >= start, offset < limit else { return nil }
    let first = storage[position(offset)]
    // The two short forms, which nearly all have.
    if first < 0x40 { return (UInt64(first), 1) }
    if first < 0x80, limit - offset > 1 {
      return (UInt64(first & 0x3F) << 8 | UInt64(storage[position(offset + 1)]), 2)
    }
    let width = 1 << Int(first >> 6)
    guard limit - offset >= UInt64(width) else { return nil }
    var value = UInt64(first & 0b0011_1111)
    for index in 1..<UInt64(max(width, 1)) {
      value = value << 8 | UInt64(storage[position(offset + index)])
    }
    return (value, width)
  }

  private func position(_ offset: UInt64) -> Int {
    Int(truncatingIfNeeded: offset) & (storage.count - 1)
  }

  /// Where the bytes of `range` are: up to the end of the storage, and on from its start.
  private func places(of range: Range<UInt64>) -> (first: Range<Int>, second: Range<Int>) {
    guard !range.isEmpty else { return (0..<0, 0..<0) }
    precondition(range.lowerBound >= start && range.upperBound <= end, "only what is kept is read")
    let (first, count) = (position(range.lowerBound), Int(range.upperBound - range.lowerBound))
    let firstCount = min(count, storage.count - first)
    return (first..<(first + firstCount), 0..<(count - firstCount))
  }

  private mutating func put(_ bytes: Span<UInt8>, at offset: UInt64) {
    guard !bytes.isEmpty else { return }
    let first = position(offset)
    let firstCount = min(bytes.count, storage.count - first)
    if firstCount == bytes.count {
      storage.overwrite(at: first, with: bytes)
    } else {
      storage.overwrite(at: first, with: bytes.extracting(0..<firstCount))
      storage.overwrite(at: 0, with: bytes.extracting(firstCount..<bytes.count))
    }
  }

  @inline(__always)
  private mutating func reserve(until upper: UInt64) {
    if upper - start > UInt64(storage.count) { grow(until: upper) }
  }

  private mutating func grow(until upper: UInt64) {
    var capacity = max(Self.minimumCapacity, storage.count)
    while UInt64(capacity) < upper - start { capacity *= 2 }
    var larger = [UInt8](repeating: 0, count: capacity)
    // The larger storage wraps only where the smaller one does, so neither part is split.
    let (first, second) = places(of: start..<end)
    let position = Int(truncatingIfNeeded: start) & (capacity - 1)
    let next = Int(truncatingIfNeeded: start + UInt64(first.count)) & (capacity - 1)
    larger.overwrite(at: position, with: storage.span.extracting(first))
    larger.overwrite(at: next, with: storage.span.extracting(second))
    storage = larger
  }
}
