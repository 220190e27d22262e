/// An option that always has a value: the given one, or its default.
struct DefaultedOption<Value: Sendable>: Sendable {
  let option: ValueOption<Value>
  let description: OptionDescription
  let defaultValue: Value

  init(_ option: ValueOption<Value>, default text: String) {
    guard let value = option.parser.parse(text) else {
      preconditionFailure("\(text) is no value for \(option.description.dashedName)")
    }
    precondition(!option.description.isRepeatable, "an option with many values has no default")
    self.option = option
    defaultValue = value
    var description = option.description
    description.defaultText = text
    self.description = description
  }
}
