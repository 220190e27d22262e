/// An argument that is known by its place, as parsing and help texts see it.
struct ArgumentDescription: Hashable, Sendable {
  /// What stands for it in help texts; it is also the key of its values.
  var placeholder: String
  var help: String
  var isRequired: Bool
  /// Whether it takes all that follow; only the last argument of a command may.
  var isRepeatable: Bool
}
