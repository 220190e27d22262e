/// What is kept of an identity between runs: the 16 bytes themselves and the last epoch used.
///
/// As a file it is three lines: `patter identity 1`, `id` and 32 hexadecimal digits, `epoch` and a
/// decimal number.
public struct IdentityRecord: Hashable, Sendable {
  /// The first eight bytes of the identity.
  public var high: UInt64
  /// The last eight bytes of the identity.
  public var low: UInt64
  /// Greater with every start of a program that has the identity.
  public var epoch: UInt64

  public init(high: UInt64, low: UInt64, epoch: UInt64) {
    self.high = high
    self.low = low
    self.epoch = epoch
  }
}

extension IdentityRecord {
  /// A line that is not as it has to be; the first is 1.
  struct Damage: Error {
    let line: Int
  }

  /// More than any record has, so that another file is not read whole by mistake.
  static let maximumSize = 256

  private static let title = "patter identity 1"

  /// Reads what `text` writes, strictly.
  init(_ bytes: [UInt8]) throws(Damage) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines[0] == Self.title else { throw Damage(line: 1) }
    guard lines.count > 1, let halves = Self.identity(lines[1]) else { throw Damage(line: 2) }
    // An epoch that has no successor could never be used again.
    guard lines.count > 2, let epoch = Self.epoch(lines[2]), epoch < .max else {
      throw Damage(line: 3)
    }
    guard lines.count == 4, lines[3].isEmpty else { throw Damage(line: 4) }
    self.init(high: halves.high, low: halves.low, epoch: epoch)
  }

  var text: String {
    "\(Self.title)\nid \(hex(high))\(hex(low))\nepoch \(epoch)\n"
  }

  private static func identity(_ line: String) -> (high: UInt64, low: UInt64)? {
    let digits = Array(line.utf8.dropFirst(3))
    let isHex = digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    guard line.hasPrefix("id "), digits.count == 32, isHex,
      let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
      let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
    else { return nil }
    return (high, low)
  }

  private static func epoch(_ line: String) -> UInt64? {
    let digits = line.dropFirst(6)
    guard line.hasPrefix("epoch "), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return UInt64(digits)
  }
}

private func hex(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
