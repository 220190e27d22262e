/// Bulk copies. A loop over bytes costs a fifth of what a whole packet may take, and the safe types
/// have no bulk copy of their own: so all unsafe code of the pure modules stands here, behind
/// functions that check their bounds.
extension OutputSpan where Element == UInt8 {
  /// Appends all of `bytes`, for which there is room.
  public mutating func append(contentsOf bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity, "the output has room for the bytes")
    unsafe bytes.withUnsafeBufferPointer { source in
      unsafe append(unchecked: source)
    }
  }

  /// Appends the bytes of `array` in `range`, for which there is room.
  public mutating func append(_ array: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= array.count, "within the array")
    precondition(range.count <= freeCapacity, "the output has room for the bytes")
    unsafe array.withUnsafeBufferPointer { source in
      unsafe append(unchecked: UnsafeBufferPointer(rebasing: source[range]))
    }
  }

  /// The lowest `width` bytes of `value`, at most eight, the uppermost of them first.
  public mutating func append(_ value: UInt64, width: Int) {
    precondition(width >= 0 && width <= 8 && width <= freeCapacity, "there is room for it")
    let isWide = freeCapacity >= 8
    let word = (value << (64 - UInt64(width) * 8)).bigEndian
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      let target = unsafe UnsafeMutableRawPointer(base + filled)
      if isWide {
        // One store of eight bytes: what is too much stays uninitialised as far as anyone knows.
        unsafe target.storeBytes(of: word, as: UInt64.self)
      } else {
        for index in 0..<width {
          let byte = UInt8(truncatingIfNeeded: value >> (UInt64(width - 1 - index) * 8))
          unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
      }
      filled += width
    }
  }

  private mutating func append(unchecked source: UnsafeBufferPointer<UInt8>) {
    guard let first = source.baseAddress, !source.isEmpty else { return }
    unsafe withUnsafeMutableBufferPointer { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      unsafe (base + filled).initialize(from: first, count: source.count)
      filled += source.count
    }
  }
}

extension Span where Element == UInt8 {
  /// Eight bytes as a number, the uppermost first.
  @inlinable
  public func word(at offset: Int) -> UInt64 {
    precondition(offset >= 0 && count >= 8 && offset <= count - 8, "within the bytes")
    let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    return word.bigEndian
  }

  /// Two bytes as a number, the uppermost first.
  @inlinable
  public func halfWord(at offset: Int) -> UInt16 {
    precondition(offset >= 0 && count >= 2 && offset <= count - 2, "within the bytes")
    let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self)
    return word.bigEndian
  }

  /// A copy of the bytes in `range`.
  public func copy(_ range: Range<Int>) -> [UInt8] {
    let part = extracting(range)
    return unsafe part.withUnsafeBufferPointer { unsafe [UInt8]($0) }
  }
}

extension Array where Element == UInt8 {
  /// Appends the length of `payload` as a variable-length number (RFC 9000, section 16), and then
  /// all of it.
  public mutating func append(lengthAnd payload: Span<UInt8>) {
    append(addingCapacity: payload.count + 8) { (output: inout OutputSpan<UInt8>) in
      // The short forms, which nearly all messages have, without a call.
      if payload.count < 1 << 6 {
        output.append(UInt8(truncatingIfNeeded: payload.count))
      } else if payload.count < 1 << 14 {
        output.append(UInt8(truncatingIfNeeded: payload.count >> 8 | 0b0100_0000))
        output.append(UInt8(truncatingIfNeeded: payload.count))
      } else {
        output.append(variableLength: UInt64(payload.count))
      }
      output.append(contentsOf: payload)
    }
  }

  /// Appends all of `bytes`.
  public mutating func append(contentsOf bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of `other` in `range`.
  public mutating func append(_ other: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count, "within the array")
    unsafe other.withUnsafeBufferPointer { source in
      unsafe append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
    }
  }

  /// Puts all of `bytes` over those that stand from `index` on.
  public mutating func overwrite(at index: Int, with bytes: Span<UInt8>) {
    precondition(index >= 0 && index <= count && bytes.count <= count - index, "within the array")
    var span = mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let base = target.baseAddress, let first = source.baseAddress else { return }
        unsafe (base + index).update(from: first, count: source.count)
      }
    }
  }
  /// Puts the lowest `width` bytes of `value`, at most eight, the uppermost of them first, and then
  /// all of `bytes` over those that stand from `index` on.
  @inline(__always)
  mutating func overwrite(
    at index: Int, with value: UInt64, width: Int, then bytes: Span<UInt8>
  ) {
    precondition(width > 0 && width <= 8, "a number has one to eight bytes")
    precondition(
      index >= 0 && index <= count && width <= count - index
        && bytes.count <= count - index - width, "within the array")
    var span = mutableSpan
    unsafe span.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      let start = unsafe base + index
      if width == 2 {
        let word = UInt16(truncatingIfNeeded: value).bigEndian
        unsafe UnsafeMutableRawPointer(start).storeBytes(of: word, as: UInt16.self)
      } else {
        for place in 0..<width {
          unsafe start[place] = UInt8(truncatingIfNeeded: value >> (UInt64(width - 1 - place) * 8))
        }
      }
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let first = source.baseAddress else { return }
        unsafe (start + width).update(from: first, count: source.count)
      }
    }
  }
}

extension MutableSpan where Element == UInt8 {
  /// Puts the eight bytes of `value`, the uppermost first, over those that stand from `index` on.
  @inlinable
  public mutating func overwrite(at index: Int, with value: UInt64) {
    precondition(index >= 0 && count >= 8 && index <= count - 8, "within the bytes")
    unsafe withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: value.bigEndian, toByteOffset: index, as: UInt64.self)
    }
  }
}
