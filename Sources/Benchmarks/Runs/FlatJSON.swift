/// A line of JSON with one object, of which the numbers and texts at the top are of interest: what
/// our own programs print for each other.
struct FlatJSON {
  private var numbers: [String: Double] = [:]
  private var texts: [String: String] = [:]
  /// Every array of numbers.
  private var arrays: [String: [Double]] = [:]

  /// `nil` for what is no such line. Escapes in texts are left as they stand.
  init?(_ line: some StringProtocol) {
    var rest = Array(line.utf8)[...]
    guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
    while let next = rest.first, next != UInt8(ascii: "}") {
      guard let name = Self.text(&rest), rest.popFirst() == UInt8(ascii: ":") else { return nil }
      guard take(name, from: &rest) else { return nil }
      if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
    }
    guard rest.count == 1 else { return nil }
  }

  func number(_ name: String) -> Double? { numbers[name] }
  func text(_ name: String) -> String? { texts[name] }
  func array(_ name: String) -> [Double]? { arrays[name] }

  private mutating func take(_ name: String, from rest: inout ArraySlice<UInt8>) -> Bool {
    switch rest.first {
    case UInt8(ascii: "\""):
      guard let text = Self.text(&rest) else { return false }
      texts[name] = text
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let words = rest[(rest.startIndex + 1)..<end].split(separator: UInt8(ascii: ","))
      let values = words.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
      guard values.count == words.count else { return false }
      arrays[name] = values
      rest = rest[(end + 1)...]
    default:
      let word = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
      rest = rest[word.endIndex...]
      let text = String(decoding: word, as: UTF8.self)
      if let value = Double(text) {
        numbers[name] = value
      } else if !["true", "false", "null"].contains(text) {
        return false
      }
    }
    return true
  }

  /// Reads a text in quotes.
  private static func text(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { bytes.append(escaped) }
    }
    return nil
  }
}
