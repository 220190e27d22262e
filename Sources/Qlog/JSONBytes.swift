import Primitives

/// Writes JSON (RFC 8259) without white space, with members in the order in which they come.
struct JSONBytes {
  private var bytes: [UInt8]
  /// Whether a comma has to stand before what comes next.
  private var needsComma = false

  /// Goes on behind what is in `bytes`, and leaves it empty: so nothing is copied.
  init(taking bytes: inout [UInt8]) {
    self.bytes = []
    swap(&self.bytes, &bytes)
  }

  consuming func take() -> [UInt8] { bytes }

  // MARK: Structure

  /// RFC 7464, section 2.2: a record separator before, a line feed behind.
  mutating func beginRecord() {
    bytes.append(0x1E)
    open("{")
  }

  mutating func endRecord() {
    close("}")
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  mutating func object(_ name: StaticString, _ body: (inout JSONBytes) -> Void) {
    key(name)
    object(body)
  }

  /// An element of an array.
  mutating func object(_ body: (inout JSONBytes) -> Void) {
    separate()
    open("{")
    body(&self)
    close("}")
  }

  mutating func array(_ name: StaticString, _ body: (inout JSONBytes) -> Void) {
    key(name)
    array(body)
  }

  mutating func array(_ body: (inout JSONBytes) -> Void) {
    separate()
    open("[")
    body(&self)
    close("]")
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func key(_ name: StaticString) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  // MARK: Values

  /// A string that needs no escapes.
  mutating func field(_ name: StaticString, _ value: StaticString) {
    key(name)
    element(value)
  }

  mutating func field(_ name: StaticString, text: String) {
    key(name)
    separate()
    bytes.append(UInt8(ascii: "\""))
    for unit in text.utf8 { escape(unit) }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func field(_ name: StaticString, _ value: some FixedWidthInteger) {
    key(name)
    element(value)
  }

  mutating func field(_ name: StaticString, _ value: Bool) {
    key(name)
    separate()
    append(value ? "true" : "false")
  }

  mutating func field(_ name: StaticString, milliseconds value: Interval) {
    key(name)
    element(milliseconds: value)
  }

  mutating func field(_ name: StaticString, hexadecimal value: UInt64) {
    key(name)
    separate()
    bytes.append(UInt8(ascii: "\""))
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xF
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func element(_ value: StaticString) {
    separate()
    quote(value)
  }

  mutating func element(_ value: some FixedWidthInteger) {
    separate()
    append(value)
  }

  /// To the nanosecond, as a decimal fraction without needless zeros.
  private mutating func element(milliseconds value: Interval) {
    separate()
    if value < .zero { bytes.append(UInt8(ascii: "-")) }
    let magnitude = value.nanoseconds.magnitude
    append(magnitude / 1_000_000)
    var rest = magnitude % 1_000_000
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var unit: UInt64 = 100_000
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
      rest %= unit
      unit /= 10
    }
  }

  // MARK: Characters

  private mutating func quote(_ text: StaticString) {
    bytes.append(UInt8(ascii: "\""))
    append(text)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = UInt64(value.magnitude)
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  private mutating func escape(_ unit: UInt8) {
    switch unit {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(unit)
    case 0x00..<0x20:
      append("\\u00")
      for digit in [unit >> 4, unit & 0xF] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    default: bytes.append(unit)
    }
  }
}
