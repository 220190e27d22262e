import Workloads

/// Writes JSON so that a line of it can be shown by `cat` without harm.
///
/// Besides what RFC 8259, section 7, requires, DEL and C1 characters, U+2028 and U+2029,
/// bidirectional controls and characters that draw nothing are written as `\uXXXX`.
struct JSONLineWriter {
  private(set) var text = ""

  mutating func write(_ object: JSONObject) {
    text += "{"
    for (index, member) in object.members.enumerated() {
      if index > 0 { text += "," }
      write(member.name)
      text += ":"
      write(member.value)
    }
    text += "}"
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .unsigned(let value): text += "\(value)"
    case .decimal(let value, let places):
      text += value.isFinite ? fixedPoint(value, places: places) : "null"
    case .string(let value): write(value)
    case .object(let value): write(value)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        write(value)
      }
      text += "]"
    }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        switch ScalarKind(scalar) {
        case .visible, .joiner, .variationSelector, .mark: text.unicodeScalars.append(scalar)
        case .control, .lineSeparator, .bidirectional, .hidden: escape(scalar)
        }
      }
    }
    text += "\""
  }

  /// Beyond U+FFFF the escape is a surrogate pair (RFC 8259, section 7).
  private mutating func escape(_ scalar: Unicode.Scalar) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
