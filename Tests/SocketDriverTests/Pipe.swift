import Glibc
import Testing

/// The two ends of a pipe: the simplest thing that becomes readable when a test says so.
final class Pipe {
  let reading: Int32
  let writing: Int32
  private var isWritingOpen = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    hangUp()
  }

  func write(_ byte: UInt8 = 1) {
    #expect(withUnsafeBytes(of: byte) { Glibc.write(writing, $0.baseAddress, 1) } == 1)
  }

  func read() -> UInt8? {
    var byte: UInt8 = 0
    return Glibc.read(reading, &byte, 1) == 1 ? byte : nil
  }

  /// Closes the writing end.
  func hangUp() {
    if isWritingOpen { close(writing) }
    isWritingOpen = false
  }
}
