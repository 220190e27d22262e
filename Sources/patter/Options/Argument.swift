/// An argument that is known by its place, with the type of its value.
struct Argument<Value: Sendable>: Sendable {
  let description: ArgumentDescription
  let parser: ValueParser<Value>

  init(
    _ placeholder: String, _ parser: ValueParser<Value>, isRequired: Bool,
    isRepeatable: Bool = false, help: String
  ) {
    self.parser = parser
    description = ArgumentDescription(
      placeholder: placeholder, help: help, isRequired: isRequired, isRepeatable: isRepeatable)
  }
}
