/// The arguments of one command, taken apart by its description. The accessors give them types.
struct ParsedArguments: Sendable {
  /// The texts given for each option or argument, by its key, in the order they were given in.
  private var texts: [String: [String]] = [:]
  /// What stands behind the name of a subcommand, that name included.
  var rest: ArraySlice<String> = []

  /// Whether the flag was given.
  func has(_ flag: Flag) -> Bool { texts[flag.description.long] != nil }

  /// The value of an option, or `nil` where it was not given.
  func value<Value>(of option: ValueOption<Value>) throws(UsageError) -> Value? {
    try values(of: option).first
  }

  /// The value of an option, or its default.
  func value<Value>(of option: DefaultedOption<Value>) throws(UsageError) -> Value {
    try value(of: option.option) ?? option.defaultValue
  }

  /// Every value of a repeatable option, in the order in which they were given.
  func values<Value>(of option: ValueOption<Value>) throws(UsageError) -> [Value] {
    try values(
      under: option.description.long, shownAs: option.description.dashedName, option.parser)
  }

  /// The value of an argument, or `nil` where it was not given.
  func value<Value>(of argument: Argument<Value>) throws(UsageError) -> Value? {
    try values(of: argument).first
  }

  /// Every value of a repeatable argument.
  func values<Value>(of argument: Argument<Value>) throws(UsageError) -> [Value] {
    let key = argument.description.placeholder
    return try values(under: key, shownAs: key, argument.parser)
  }

  /// Whether no option and no argument was given.
  var isEmpty: Bool { texts.isEmpty }

  /// How many times an option or argument was given.
  func count(under key: String) -> Int { texts[key]?.count ?? 0 }

  mutating func append(_ text: String, under key: String) {
    texts[key, default: []].append(text)
  }

  private func values<Value>(
    under key: String, shownAs name: String, _ parser: ValueParser<Value>
  ) throws(UsageError) -> [Value] {
    var values: [Value] = []
    for text in texts[key] ?? [] {
      guard let value = parser.parse(text) else {
        throw .badValue(name: name, value: text, expected: parser.expected)
      }
      values.append(value)
    }
    return values
  }
}
