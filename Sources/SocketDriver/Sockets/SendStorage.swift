import Primitives

/// The bytes that wait to be sent, in memory that stays where it is.
@safe final class SendStorage {
  let capacity: Int
  private let bytes: UnsafeMutablePointer<UInt8>

  /// The memory is only taken up as far as it is written.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe bytes = .allocate(capacity: capacity)
  }

  deinit {
    unsafe bytes.deallocate()
  }

  /// Lends the room of `range`, for the call of `body`, to be filled from its start; returns how
  /// much of it was.
  func write(into range: Range<Int>, _ body: (inout OutputSpan<UInt8>) -> Void) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "out of the storage")
    let room = unsafe UnsafeMutableBufferPointer(
      start: bytes + range.lowerBound, count: range.count)
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    body(&output)
    return unsafe output.finalize(for: room)
  }

  func copy(_ source: Span<UInt8>, to offset: Int) {
    precondition(offset >= 0 && offset + source.count <= capacity, "out of the storage")
    unsafe source.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (bytes + offset).update(from: start, count: source.count)
    }
  }

  /// Moves the bytes of `range` to the start.
  func moveToStart(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "out of the storage")
    unsafe bytes.update(from: bytes + range.lowerBound, count: range.count)
  }

  func withBytes(of range: Range<Int>, _ body: (Span<UInt8>) -> Void) {
    unsafe body(UnsafeBufferPointer(start: pointer(to: range), count: range.count).span)
  }

  func pointer(to range: Range<Int>) -> UnsafeMutablePointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= capacity, "out of the storage")
    return unsafe bytes + range.lowerBound
  }
}
