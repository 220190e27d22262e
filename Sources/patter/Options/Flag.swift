/// An option that is given or not.
struct Flag: Sendable {
  let description: OptionDescription

  init(_ long: String, short: Character? = nil, help: String) {
    description = OptionDescription(
      long: long, short: short, placeholder: nil, help: help, defaultText: nil,
      isRepeatable: false, choices: [])
  }

  /// Every command has it.
  static let help = Flag("help", short: "h", help: "show this help")
  static let version = Flag("version", help: "show the version")
}
