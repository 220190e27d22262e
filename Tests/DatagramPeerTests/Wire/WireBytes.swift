import Primitives

/// Bytes for tests of the wire format: written as hexadecimal digits, cut short, and damaged.
enum WireBytes {
  /// What `body` writes into a buffer of `capacity` bytes.
  static func written(
    capacity: Int = 1_200, _ body: (inout OutputSpan<UInt8>) -> Void
  ) -> [UInt8] {
    [UInt8](capacity: capacity) { (output: inout OutputSpan<UInt8>) in body(&output) }
  }

  /// Reads pairs of hexadecimal digits; white space between them is for the reader.
  static func parsed(hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    precondition(digits.count.isMultiple(of: 2), "two digits for each byte: \(hex)")
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func random(count: Int, from generator: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// All shorter starts of `bytes`, and all variants with one byte changed to any other value.
  static func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
    var variants = bytes.indices.map { Array(bytes[..<$0]) }
    for index in bytes.indices {
      for change in UInt8(1)...255 {
        var variant = bytes
        variant[index] ^= change
        variants.append(variant)
      }
    }
    return variants
  }
}
