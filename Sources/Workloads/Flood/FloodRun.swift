import Primitives

/// Several messages of a flood in the form in which they are handed over together: each behind its
/// length (RFC 9000, section 16), and each beginning with its number.
public struct FloodRun: Sendable {
  /// Bytes of the number at the beginning of a message, big-endian.
  static let counterSize = 8

  public private(set) var bytes: [UInt8] = []
  public let count: Int
  private let stride: Int
  private let prefix: Int

  public init(size: Int, count: Int) {
    self.count = count
    prefix = variableLengthWidth(UInt64(size))
    stride = prefix + size
    bytes = [UInt8](capacity: stride * count) { output in
      for _ in 0..<count {
        output.append(variableLength: UInt64(size))
        for index in 0..<size { output.append(UInt8(truncatingIfNeeded: index)) }
      }
    }
  }

  /// Gives the messages their numbers, from `first` upwards.
  public mutating func number(from first: UInt64) {
    var offset = prefix
    let (count, stride) = (UInt64(count), stride)
    var span = bytes.mutableSpan
    for index in 0..<count {
      span.overwrite(at: offset, with: first + index)
      offset += stride
    }
  }

  /// The payload of the first message.
  var first: Range<Int> { prefix..<stride }
}
