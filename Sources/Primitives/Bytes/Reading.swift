/// Reading numbers from bytes that nobody vouches for. Each function takes the offset to read at,
/// moves it behind what it read, and returns `nil`, moving nothing, where the bytes do not suffice.
extension Span where Element == UInt8 {
  @inlinable
  public func uint8(at offset: inout Int) -> UInt8? {
    guard offset >= 0, offset < count else { return nil }
    defer { offset += 1 }
    return self[offset]
  }

  public func uint16(at offset: inout Int) -> UInt16? {
    bigEndian(2, at: &offset).map { UInt16(truncatingIfNeeded: $0) }
  }

  public func uint32(at offset: inout Int) -> UInt32? {
    bigEndian(4, at: &offset).map { UInt32(truncatingIfNeeded: $0) }
  }

  @inlinable
  public func uint64(at offset: inout Int) -> UInt64? {
    guard offset >= 0, offset <= count, count - offset >= 8 else { return nil }
    defer { offset += 8 }
    return word(at: offset)
  }

  /// An unsigned big-endian number of one to eight bytes.
  public func bigEndian(_ width: Int, at offset: inout Int) -> UInt64? {
    precondition((1...8).contains(width), "a number has one to eight bytes")
    guard offset >= 0, offset <= count, count - offset >= width else { return nil }
    defer { offset += width }
    if count - offset >= 8 { return word(at: offset) >> (64 - UInt64(width) * 8) }
    var value: UInt64 = 0
    for index in offset..<(offset + width) { value = value << 8 | UInt64(self[index]) }
    return value
  }

  /// A variable-length number (RFC 9000, section 16): 1, 2, 4 or 8 bytes, up to 2^62 - 1.
  @inlinable
  public func variableLength(at offset: inout Int) -> UInt64? {
    guard offset >= 0, offset < count else { return nil }
    let first = self[offset]
    if first < 0x40 {
      offset += 1
      return UInt64(first)
    }
    if first < 0x80, count - offset > 1 {
      let value = UInt64(first & 0x3F) << 8 | UInt64(self[offset + 1])
      offset += 2
      return value
    }
    let width = 1 << Int(first >> 6)
    guard let value = bigEndian(width, at: &offset) else { return nil }
    return value & (UInt64.max >> (64 - UInt64(width) * 8 + 2))
  }

  /// The range of the next `length` bytes.
  @inlinable
  public func bytes(_ length: Int, at offset: inout Int) -> Range<Int>? {
    guard length >= 0, offset >= 0, offset <= count, count - offset >= length else { return nil }
    defer { offset += length }
    return offset..<(offset + length)
  }
}
