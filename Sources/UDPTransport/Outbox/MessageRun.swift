import Primitives

/// Many messages in one piece of memory, to be sent together: each as its length (a variable-length
/// number, RFC 9000, section 16) and its payload.
///
/// Made to be filled, sent and filled again: it keeps its memory, as much as it ever needed.
@safe public struct MessageRun: ~Copyable, @unchecked Sendable {
  /// How many messages are in it.
  public private(set) var count = 0

  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Messages before this were taken out.
  private var start = 0
  private var end = 0
  /// The largest payload there was since it was empty.
  private(set) var largest = 0

  /// - Parameter capacity: For how many bytes to have room from the beginning.
  public init(capacity: Int = 4_096) {
    self.capacity = max(capacity, 64)
    unsafe bytes = .allocate(capacity: self.capacity)
  }

  deinit {
    unsafe bytes.deallocate()
  }

  public var isEmpty: Bool { count == 0 }

  /// Payloads and their lengths.
  public var byteCount: Int { end - start }

  /// Copies a message into it, behind the others.
  public mutating func append(_ payload: Span<UInt8>) {
    let size = payload.count
    if capacity - end < size + 8 { grow(by: size + 8) }
    appendLength(size)
    unsafe payload.withUnsafeBufferPointer { source in
      guard let base = source.baseAddress else { return }
      unsafe (bytes + end).update(from: base, count: size)
    }
    end += size
    count += 1
    if size > largest { largest = size }
  }

  /// Takes all messages out.
  public mutating func removeAll() {
    count = 0
    start = 0
    end = 0
    largest = 0
  }

  /// Takes the first `count` messages out, which have `byteCount` bytes.
  mutating func removeFirst(_ count: Int, byteCount: Int) {
    guard count > 0 else { return }
    guard count < self.count else { return removeAll() }
    self.count -= count
    start += byteCount
  }

  borrowing func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: bytes + start, count: end - start).span)
  }

  /// The shortest form, of the three that a payload in memory needs.
  @inline(__always)
  private mutating func appendLength(_ size: Int) {
    if size < 1 << 6 {
      unsafe bytes[end] = UInt8(truncatingIfNeeded: size)
      end += 1
    } else if size < 1 << 14 {
      unsafe bytes[end] = UInt8(truncatingIfNeeded: size >> 8) | 0x40
      unsafe bytes[end + 1] = UInt8(truncatingIfNeeded: size)
      end += 2
    } else {
      precondition(size < 1 << 30, "a message has less than a gibibyte")
      for index in 0..<4 {
        unsafe bytes[end + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
      }
      unsafe bytes[end] |= 0x80
      end += 4
    }
  }

  private mutating func grow(by count: Int) {
    let used = end - start
    let larger = max(capacity * 2, used + count)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe memory.update(from: bytes + start, count: used)
    unsafe bytes.deallocate()
    unsafe bytes = memory
    capacity = larger
    start = 0
    end = used
  }
}

extension MessageRun {
  public mutating func append(_ payload: [UInt8]) { append(payload.span) }
}
