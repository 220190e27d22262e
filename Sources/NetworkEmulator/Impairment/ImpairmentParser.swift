extension Impairment {
  /// Reads the text form: parts `key=value` with commas between, in any order, each key once, or
  /// `none` alone. Spaces around a part do not matter.
  ///
  /// - `loss`, `duplicate`, `reorder`: a percentage such as `20%` or a fraction such as `0.2`.
  /// - `burst`, `delay`, `jitter`, `queue`: a time in `us`, `ms` or `s` with or without decimals,
  ///   such as `2.5ms`, rounded to nanoseconds.
  /// - `rate`: bits a second in `kbit`, `mbit` or `gbit`, such as `1.5mbit`, rounded to whole ones.
  /// - `seed`: a whole number below 2^64.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    var parser = ImpairmentParser(text)
    self = try parser.parse(allowingDirections: false).outgoing
  }
}

extension ImpairmentSetting {
  /// Reads the text form: an ``Impairment``, before it a direction and a colon where it is not
  /// what this process sends: `out:`, `in:` or `both:`. A second impairment may follow after a
  /// comma with the other direction before it.
  public init(parsing text: String) throws(ImpairmentSyntaxError) {
    var parser = ImpairmentParser(text)
    self = try parser.parse(allowingDirections: true)
  }
}

/// Reads one text from left to right.
struct ImpairmentParser {
  private let text: String
  private var setting = ImpairmentSetting.none
  private var givenDirections: [ImpairmentSetting.Direction] = []

  // What belongs to the direction that is being read.
  private var directions: [ImpairmentSetting.Direction] = [.outgoing]
  private var impairment = Impairment.none
  private var givenKeys: [ImpairmentKey] = []
  private var isNone = false

  init(_ text: String) {
    self.text = text
  }

  mutating func parse(
    allowingDirections: Bool
  ) throws(ImpairmentSyntaxError) -> ImpairmentSetting {
    for (number, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated()
    {
      var rest = trimmed(part)
      if let colon = rest.firstIndex(of: ":"), !rest[..<colon].contains("=") {
        guard allowingDirections else {
          throw error(.unknownDirection(String(rest[..<colon])), at: rest)
        }
        try begin(rest[..<colon])
        rest = trimmed(rest[rest.index(after: colon)...])
      } else if number == 0 {
        givenDirections = [.outgoing]
      }
      try read(rest)
      for direction in directions { setting[direction] = impairment }
    }
    return setting
  }

  /// Starts over for the direction that `name` says.
  private mutating func begin(_ name: Substring) throws(ImpairmentSyntaxError) {
    switch trimmed(name) {
    case "out": directions = [.outgoing]
    case "in": directions = [.incoming]
    case "both": directions = [.outgoing, .incoming]
    default: throw error(.unknownDirection(String(name)), at: name)
    }
    guard !directions.contains(where: givenDirections.contains) else {
      throw error(.repeatedDirection(String(name)), at: name)
    }
    givenDirections += directions
    impairment = .none
    givenKeys = []
    isNone = false
  }

  /// Reads one `key=value`.
  private mutating func read(_ part: Substring) throws(ImpairmentSyntaxError) {
    guard !part.isEmpty else { throw error(.missingPart, at: part) }
    guard !isNone else { throw error(.noneIsNotAlone, at: part) }
    if part == "none" {
      guard givenKeys.isEmpty else { throw error(.noneIsNotAlone, at: part) }
      isNone = true
      return
    }
    let equals = part.firstIndex(of: "=") ?? part.endIndex
    let name = trimmed(part[..<equals])
    guard let key = ImpairmentKey(rawValue: String(name)) else {
      throw error(.unknownKey(String(name)), at: name)
    }
    guard equals < part.endIndex else {
      throw error(.missingValue(key: String(name)), at: part)
    }
    guard !givenKeys.contains(key) else { throw error(.repeatedKey(String(name)), at: part) }
    givenKeys.append(key)
    try set(key, to: trimmed(part[part.index(after: equals)...]))
  }

  private mutating func set(
    _ key: ImpairmentKey, to value: Substring
  ) throws(ImpairmentSyntaxError) {
    do throws(ImpairmentSyntaxError.Reason) {
      switch key {
      case .loss: impairment.loss = try probability(fromText: value)
      case .burst: impairment.burst = try interval(fromText: value)
      case .delay: impairment.delay = try interval(fromText: value)
      case .jitter: impairment.jitter = try interval(fromText: value)
      case .rate: impairment.rate = try bitRate(fromText: value)
      case .queue: impairment.queue = try interval(fromText: value)
      case .duplicate: impairment.duplicate = try probability(fromText: value)
      case .reorder: impairment.reorder = try probability(fromText: value)
      case .seed:
        guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seed = UInt64(value) else {
          throw .notASeed(String(value))
        }
        impairment.seed = seed
      }
    } catch {
      throw self.error(error, at: value)
    }
  }

  private func error(
    _ reason: ImpairmentSyntaxError.Reason, at place: Substring
  ) -> ImpairmentSyntaxError {
    ImpairmentSyntaxError(
      offset: text.distance(from: text.startIndex, to: place.startIndex), reason: reason)
  }
}

/// Without the spaces before and behind. What is left keeps its place in the text.
private func trimmed(_ text: Substring) -> Substring {
  var result = text.drop { $0 == " " }
  while result.last == " " { result.removeLast() }
  return result
}
