/// An option with a value of a type.
struct ValueOption<Value: Sendable>: Sendable {
  let description: OptionDescription
  let parser: ValueParser<Value>

  /// `defaultText` only tells a reader what happens without the option; for a value that holds
  /// then, use `defaulting(to:)`.
  init(
    _ long: String, short: Character? = nil, _ placeholder: String, _ parser: ValueParser<Value>,
    isRepeatable: Bool = false, help: String, defaultText: String? = nil
  ) {
    self.parser = parser
    description = OptionDescription(
      long: long, short: short, placeholder: placeholder, help: help, defaultText: defaultText,
      isRepeatable: isRepeatable, choices: parser.choices)
  }

  /// The same option with a value, written as a user would, that holds where none is given.
  func defaulting(to text: String) -> DefaultedOption<Value> {
    DefaultedOption(self, default: text)
  }
}
