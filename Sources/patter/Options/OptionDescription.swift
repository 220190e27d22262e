/// One option of a command, as parsing and help texts see it.
struct OptionDescription: Hashable, Sendable {
  /// The name without its dashes; it is also the key of the option's values.
  var long: String
  var short: Character?
  /// What stands for the value in help texts; `nil` where the option is a flag and takes none.
  var placeholder: String?
  var help: String
  /// What holds where the option is not given, for help texts.
  var defaultText: String?
  var isRepeatable: Bool
  /// All values there are, where they can be listed.
  var choices: [String]

  /// The name as it is typed: `--room`.
  var dashedName: String { "--\(long)" }
}
