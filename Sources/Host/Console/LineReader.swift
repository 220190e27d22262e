import Primitives

/// Cuts bytes into lines, however they come in pieces: bytes go in, and the owner then pulls lines
/// until there is none.
///
/// A line ends with LF or CR LF, which are not part of it; every other byte, NUL among them, is.
/// What stands behind the last end is a line when the input ends, unless it is empty.
public struct LineReader: Sendable {
  public enum Line: Hashable, Sendable {
    case line([UInt8])
    /// There was a line longer than the limit. It is told of once, as soon as it is known, and
    /// nothing of the line is kept.
    case tooLong(limit: Int)
  }

  /// More than the largest text of a message, 64 KiB, so that one slightly too large is refused by
  /// those who know why.
  public static let defaultLimit = 65_536 + 1_024

  private let limit: Int
  private var partial: [UInt8] = []
  /// Whether what comes belongs to a line that was too long.
  private var isSkipping = false
  private var lines = Queue<Line>()

  /// - Parameter limit: The most bytes of a line, without its end.
  public init(limit: Int = defaultLimit) {
    precondition(limit > 0, "a line of no bytes at all")
    self.limit = limit
  }

  /// Takes in bytes; pull `next` until `nil` afterwards.
  public mutating func append(_ bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  /// Takes in that the input has ended; pull `next` until `nil` afterwards.
  public mutating func finish() {
    if !isSkipping, !partial.isEmpty { emit(partial) }
    partial = []
    isSkipping = false
  }

  /// The next line, or `nil` where none is complete.
  public mutating func next() -> Line? {
    lines.popFirst()
  }

  private mutating func append(_ byte: UInt8) {
    if byte == lineFeed {
      if partial.last == carriageReturn { partial.removeLast() }
      if !isSkipping { emit(partial) }
      partial.removeAll(keepingCapacity: true)
      isSkipping = false
    } else if isSkipping {
      return
    } else if partial.count < limit || (partial.count == limit && byte == carriageReturn) {
      // One carriage return more than the limit: it may turn out to be half of the line's end.
      partial.append(byte)
    } else {
      lines.append(.tooLong(limit: limit))
      partial.removeAll(keepingCapacity: true)
      isSkipping = true
    }
  }

  private mutating func emit(_ line: [UInt8]) {
    lines.append(line.count <= limit ? .line(line) : .tooLong(limit: limit))
  }
}

private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D
