/// A command as data: all that parsing it and explaining it need.
struct CommandDescription: Sendable {
  /// The word that calls it.
  var name: String
  /// What it is for, in one sentence.
  var summary: String
  /// More about it, a paragraph each.
  var discussion: [String]
  var arguments: [ArgumentDescription]
  /// The options it has besides `--help`, which every command has.
  var options: [OptionDescription]
  /// The commands below this one. A command has either these or arguments, not both.
  var subcommands: [CommandDescription]
  /// Further parts of the help text.
  var sections: [HelpSection]
  /// Command lines that work as they stand.
  var examples: [String]
  /// Makes typed options out of the arguments; `nil` for a command that only has subcommands.
  var makeInvocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)?

  init(
    name: String, summary: String, discussion: [String] = [],
    arguments: [ArgumentDescription] = [], options: [OptionDescription] = [],
    subcommands: [CommandDescription] = [], sections: [HelpSection] = [], examples: [String] = [],
    makeInvocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)? = nil
  ) {
    precondition(subcommands.isEmpty || arguments.isEmpty, "\(name) has two kinds of arguments")
    precondition(subcommands.isEmpty == (makeInvocation != nil), "\(name) runs or has subcommands")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options + [Flag.help.description]
    self.subcommands = subcommands
    self.sections = sections
    self.examples = examples
    self.makeInvocation = makeInvocation
  }
}
