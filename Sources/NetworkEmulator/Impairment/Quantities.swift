import Primitives

// Probabilities and times as text. Both are read and printed by their decimal digits, so that
// printing and reading again gives the very same value.

/// A percentage or a fraction.
func probability(
  fromText text: Substring
) throws(ImpairmentSyntaxError.Reason) -> Double {
  let isPercentage = text.last == "%"
  let number = isPercentage ? text.dropLast() : text
  // Only digits get as far as the conversion, which would take "nan" and "0x1p3" as well. The
  // exponent divides by 100 exactly, where a division would round once more.
  guard DecimalNumber(number) != nil,
    let value = Double(isPercentage ? number + "e-2" : number[...])
  else { throw .notAProbability(String(text)) }
  guard value <= 1 else { throw .probabilityTooLarge(String(text)) }
  return value
}

/// The shortest percentage that reads as `probability` again, such as `20%` or `0.25%`.
func percentage(_ probability: Double) -> String {
  // The description has the shortest digits that name the value: "0.07", "1.0", "2.5e-07".
  let parts = "\(probability)".split(separator: "e")
  let mantissa = parts[0].split(separator: ".")
  var digits = mantissa.joined()
  var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + 2
  if point < 1 {
    digits = String(repeating: "0", count: 1 - point) + digits
    point = 1
  }
  if digits.count < point { digits += String(repeating: "0", count: point - digits.count) }
  let whole = digits.prefix(point).drop { $0 == "0" }
  return joined(whole.isEmpty ? "0" : String(whole), String(digits.dropFirst(point))) + "%"
}

/// A number with its unit: `us`, `ms` or `s`.
func interval(fromText text: Substring) throws(ImpairmentSyntaxError.Reason) -> Interval {
  let unit = TimeUnit.allCases.first { text.hasSuffix($0.rawValue) }
  guard let unit, let number = DecimalNumber(text.dropLast(unit.rawValue.count)) else {
    throw .notATime(String(text))
  }
  let time = Interval(nanoseconds: number.count(of: unit.nanoseconds))
  guard time <= Impairment.maximumTime else { throw .timeTooLong(String(text)) }
  return time
}

/// The time in the largest unit of which it has at least one, such as `40ms` or `1.5s`.
func text(_ time: Interval) -> String {
  let unit =
    TimeUnit.allCases.last { time.nanoseconds >= $0.nanoseconds } ?? .microseconds
  return decimal(time.nanoseconds, in: unit.nanoseconds) + unit.rawValue
}

/// Bits a second with their unit: `kbit`, `mbit` or `gbit`, of thousands.
func bitRate(fromText text: Substring) throws(ImpairmentSyntaxError.Reason) -> Int {
  let unit = RateUnit.allCases.first { text.hasSuffix($0.rawValue) }
  guard let unit, let number = DecimalNumber(text.dropLast(unit.rawValue.count)) else {
    throw .notARate(String(text))
  }
  let rate = number.count(of: unit.bits)
  guard rate <= Impairment.maximumRate else { throw .rateTooLarge(String(text)) }
  return Int(rate)
}

/// The rate in the largest unit of which it has at least one, such as `10mbit` or `1.5gbit`.
func bitRate(_ rate: Int) -> String {
  let unit = RateUnit.allCases.last { rate >= $0.bits } ?? .kilobits
  return decimal(Int64(rate), in: unit.bits) + unit.rawValue
}

private enum RateUnit: String, CaseIterable {
  case kilobits = "kbit"
  case megabits = "mbit"
  case gigabits = "gbit"

  var bits: Int64 {
    switch self {
    case .kilobits: 1_000
    case .megabits: 1_000_000
    case .gigabits: 1_000_000_000
    }
  }
}

/// `value` as a decimal number of units, which are powers of ten.
private func decimal(_ value: Int64, in unit: Int64) -> String {
  let (whole, rest) = value.quotientAndRemainder(dividingBy: unit)
  // A leading one keeps the zeros behind the decimal point.
  let fraction = String(rest + unit).dropFirst()
  return joined(String(whole), String(fraction))
}

private enum TimeUnit: String, CaseIterable {
  // "s" last, since the others end in it too.
  case microseconds = "us"
  case milliseconds = "ms"
  case seconds = "s"

  var nanoseconds: Int64 {
    switch self {
    case .microseconds: 1_000
    case .milliseconds: 1_000_000
    case .seconds: 1_000_000_000
    }
  }
}

/// Decimal digits, and behind a point more of them.
private struct DecimalNumber {
  let whole: Substring
  let fraction: Substring

  init?(_ text: Substring) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard areDigits else { return nil }
    whole = parts[0]
    fraction = parts.count > 1 ? parts[1] : ""
  }

  /// The number times `unit`, a power of ten, rounded; the largest there is where it is larger.
  func count(of unit: Int64) -> Int64 {
    let (product, overflow) = (Int64(whole) ?? .max).multipliedReportingOverflow(by: unit)
    var count = overflow ? .max : product
    var place = unit
    for digit in fraction.utf8.lazy.map({ Int64($0) - 0x30 }) {
      place /= 10
      let part = place > 0 ? digit * place : digit >= 5 ? 1 : 0
      let (sum, overflow) = count.addingReportingOverflow(part)
      count = overflow ? .max : sum
      if place == 0 { break }
    }
    return count
  }
}

/// The number without zeros at the end of its fraction.
private func joined(_ whole: String, _ fraction: String) -> String {
  var fraction = fraction[...]
  while fraction.last == "0" { fraction.removeLast() }
  return fraction.isEmpty ? whole : "\(whole).\(fraction)"
}
