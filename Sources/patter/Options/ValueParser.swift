import Primitives

/// How a value is read from its text.
struct ValueParser<Value: Sendable>: Sendable {
  /// What the text has to be, as it follows "expected" in an error.
  let expected: String
  /// All texts there are, where they can be listed.
  let choices: [String]
  /// Returns `nil` for a text that is no such value.
  let parse: @Sendable (String) -> Value?

  init(expected: String, choices: [String] = [], parse: @escaping @Sendable (String) -> Value?) {
    self.expected = expected
    self.choices = choices
    self.parse = parse
  }

  /// One of a few words.
  static func choice(_ values: KeyValuePairs<String, Value>) -> ValueParser {
    let table = Array(values)
    let words = table.map(\.key)
    let list =
      words.count < 2
      ? words.joined() : "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
    return ValueParser(expected: list, choices: words) { text in
      table.first { $0.key == text }?.value
    }
  }
}

extension ValueParser where Value == String {
  /// Any text but none at all.
  static let string = ValueParser(expected: "a text that is not empty") { $0.isEmpty ? nil : $0 }

  /// The name of a room. What is too long for a beacon is refused here, before there is one.
  static let roomName = ValueParser(
    expected: "a name of 1 to 64 bytes without control characters"
  ) { text in
    let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    let isBlank = text.allSatisfy(\.isWhitespace)
    return isPlain && !isBlank && text.utf8.count <= 64 ? text : nil
  }
}

extension ValueParser where Value == UInt16 {
  /// A UDP or TCP port that can be named by a user.
  static let port = ValueParser(expected: "a port from 1 to 65535") { text in
    isDecimal(text) ? UInt16(text).flatMap { $0 == 0 ? nil : $0 } : nil
  }
}

extension ValueParser where Value == IPAddress {
  /// The address of a group of either family, without a scope.
  static let multicastAddress = ValueParser(
    expected: "a multicast address such as 239.255.1.2 or ff12::1"
  ) { text in
    IPAddress(text).flatMap { $0.isMulticast ? $0 : nil }
  }
}

extension ValueParser where Value == Interval {
  /// A length of time with its unit: `500ms`, `3s`, `1.5s`, `2m`, `1h`.
  static let duration = ValueParser(expected: "a duration such as 3s or 500ms") { text in
    let units: [(suffix: String, nanoseconds: Int64)] = [
      ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    return interval(text.dropLast(unit.suffix.count), unit: unit.nanoseconds)
  }

  /// Whole and decimal digits are read apart, so that no value passes through floating point.
  private static func interval(_ number: Substring, unit: Int64) -> Interval? {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ isDecimal($0) }), let whole = Int64(parts[0]) else {
      return nil
    }
    var (total, overflow) = whole.multipliedReportingOverflow(by: unit)
    var digitValue = unit
    for digit in parts.dropFirst().joined().utf8 {
      digitValue /= 10
      let (sum, carried) = total.addingReportingOverflow(Int64(digit - 48) * digitValue)
      total = sum
      overflow = overflow || carried
    }
    return overflow ? nil : Interval(nanoseconds: total)
  }
}

/// Whether there are digits and nothing else: Swift's own reading also takes a sign.
private func isDecimal(_ text: some StringProtocol) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
}
