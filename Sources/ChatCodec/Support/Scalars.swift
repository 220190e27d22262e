extension String {
  /// What is between white space at both ends, and at which byte that starts.
  func trimmed() -> (text: Substring.UnicodeScalarView, start: Int) {
    let front = unicodeScalars.drop { $0.properties.isWhitespace }
    let start = utf8.distance(from: utf8.startIndex, to: front.startIndex)
    guard let last = front.lastIndex(where: { !$0.properties.isWhitespace }) else {
      return (front[front.endIndex...], start)
    }
    return (front[...last], start)
  }
}

extension Unicode.Scalar {
  /// Whether the character breaks or turns round the line it stands in: C0, DEL and C1, line and
  /// paragraph separators, and the characters of Unicode Standard Annex #9 that set directions.
  var disturbsLine: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x2028, 0x2029: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `U+202E`, with at least four digits.
  var codePointName: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
