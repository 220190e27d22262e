/// Writing numbers into a buffer that is known to have room: the writer's own fault otherwise.
extension OutputSpan where Element == UInt8 {
  public mutating func append(bigEndian value: UInt16) {
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }

  public mutating func append(bigEndian value: UInt32) {
    append(UInt64(value), width: 4)
  }

  public mutating func append(bigEndian value: UInt64) {
    append(value, width: 8)
  }

  /// A variable-length number (RFC 9000, section 16) in its shortest form; below 2^62.
  public mutating func append(variableLength value: UInt64) {
    let (coded, width) = variableLengthForm(value)
    append(coded, width: width)
  }

  public mutating func append(contentsOf bytes: [UInt8]) {
    append(contentsOf: bytes.span)
  }
}

/// The largest number that a variable-length number can hold: 2^62 - 1.
public let variableLengthMaximum: UInt64 = (1 << 62) - 1

/// How many bytes the shortest variable-length form of `value` takes; `value` is below 2^62.
public func variableLengthWidth(_ value: UInt64) -> Int {
  precondition(value <= variableLengthMaximum, "a variable-length number is below 2^62")
  if value < 1 << 6 { return 1 }
  if value < 1 << 14 { return 2 }
  return value < 1 << 30 ? 4 : 8
}

/// The shortest variable-length form of `value`, which is below 2^62, as a number of `width` bytes.
@inline(__always)
func variableLengthForm(_ value: UInt64) -> (coded: UInt64, width: Int) {
  let width = variableLengthWidth(value)
  return (value | UInt64(width.trailingZeroBitCount) << (UInt64(width) * 8 - 2), width)
}
