/// Why a text is not an impairment, and where.
public struct ImpairmentSyntaxError: Error, Hashable, Sendable {
  /// What is wrong. The strings are the parts of the text in question, as they were written.
  public enum Reason: Error, Hashable, Sendable {
    /// There is nothing where `key=value` should stand.
    case missingPart
    /// A key that exists, without `=` and a value.
    case missingValue(key: String)
    case unknownKey(String)
    case repeatedKey(String)
    /// Something before a colon that is no direction, or a direction where none may stand.
    case unknownDirection(String)
    /// A direction that was already spoken for.
    case repeatedDirection(String)
    /// `none` together with something else.
    case noneIsNotAlone
    case notAProbability(String)
    /// A probability above 1.
    case probabilityTooLarge(String)
    case notATime(String)
    /// A time above ``Impairment/maximumTime``.
    case timeTooLong(String)
    case notARate(String)
    /// A rate above ``Impairment/maximumRate``.
    case rateTooLarge(String)
    /// Not a decimal number below 2^64.
    case notASeed(String)
  }

  /// How many characters stand before the place.
  public var offset: Int
  public var reason: Reason

  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }
}

extension ImpairmentSyntaxError: CustomStringConvertible {
  /// One line for a person, such as `at character 6: "abc" is not a percentage, such as 20% or
  /// 0.2`, without control characters whatever the text held. Characters are counted from 1.
  public var description: String { "at character \(offset + 1): \(explanation)" }

  private var explanation: String {
    switch reason {
    case .missingPart:
      "expected an impairment, such as loss=20% or delay=40ms"
    case .missingValue(let key):
      "\(quoted(key)) needs a value, such as \(ImpairmentKey(rawValue: key)?.example ?? "loss=20%")"
    case .unknownKey(let key):
      "there is no \(quoted(key)); there are \(ImpairmentKey.list)"
    case .repeatedKey(let key):
      "\(quoted(key)) is given twice"
    case .unknownDirection(let direction):
      "\(quoted(direction)) is not a direction: in, out or both"
    case .repeatedDirection(let direction):
      "\(quoted(direction)) names a direction that is already given"
    case .noneIsNotAlone:
      "none stands alone"
    case .notAProbability(let value):
      "\(quoted(value)) is not a percentage, such as 20% or 0.2"
    case .probabilityTooLarge(let value):
      "\(quoted(value)) is more than 100%; without % a fraction up to 1 is meant"
    case .notATime(let value):
      "\(quoted(value)) is not a time, such as 40ms, 250us or 1.5s"
    case .timeTooLong(let value):
      "\(quoted(value)) is longer than 3600s"
    case .notARate(let value):
      "\(quoted(value)) is not a rate, such as 10mbit or 500kbit"
    case .rateTooLarge(let value):
      "\(quoted(value)) is more than 1000gbit"
    case .notASeed(let value):
      "\(quoted(value)) is not a seed: a whole number from 0 to \(UInt64.max)"
    }
  }
}

/// The text in quotation marks, fit for one line of a terminal.
private func quoted(_ text: String) -> String {
  let longest = 40
  var result = "\""
  for character in text.prefix(longest) {
    let isPlain = character.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
    result.append(isPlain ? character : "\u{FFFD}")
  }
  return result + (text.count > longest ? "…\"" : "\"")
}
