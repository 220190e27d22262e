extension Span where Element == UInt8 {
  /// The place of the first colon.
  var firstColon: Int? {
    indices.first { self[$0] == UInt8(ascii: ":") }
  }

  /// Where the bytes end if one LF or CRLF at their end is left out.
  var endWithoutLineEnd: Int {
    guard count > 0, self[count - 1] == UInt8(ascii: "\n") else { return count }
    guard count > 1, self[count - 2] == UInt8(ascii: "\r") else { return count - 1 }
    return count - 2
  }

  func starts(with text: String) -> Bool {
    matches(text, at: 0)
  }

  func ends(with text: String) -> Bool {
    matches(text, at: count - text.utf8.count)
  }

  /// A copy of the bytes in `range`.
  func copy(_ range: Range<Int>) -> [UInt8] {
    [UInt8](capacity: range.count) { (output: inout OutputSpan<UInt8>) in
      for index in range { output.append(self[index]) }
    }
  }

  private func matches(_ text: String, at start: Int) -> Bool {
    guard start >= 0, count - start >= text.utf8.count else { return false }
    var offset = start
    for byte in text.utf8 {
      guard self[offset] == byte else { return false }
      offset += 1
    }
    return true
  }
}

extension OutputSpan where Element == UInt8 {
  mutating func append(copying bytes: some Sequence<UInt8>) {
    for byte in bytes { append(byte) }
  }
}

/// The first bytes of something with `length` bytes, as printable ASCII.
func escaped(_ start: [UInt8], of length: Int) -> String {
  let text = start.map { byte in
    guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else {
      let digits = String(byte, radix: 16)
      return "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
    }
    return String(Unicode.Scalar(byte))
  }.joined()
  return length > start.count ? text + "..." : text
}
