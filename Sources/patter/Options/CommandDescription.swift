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
  /// The commands below this one. A command has either these or arguments, not both; where it can
  /// also be run by itself, it is run where none of them is named.
  var subcommands: [CommandDescription]
  /// Whether it is for this program's own use, and no help text names it.
  var isHidden: Bool
  /// Further parts of the help text.
  var sections: [HelpSection]
  /// Command lines that work as they stand.
  var examples: [String]
  /// Makes typed options out of the arguments; `nil` for a command that only has subcommands.
  var makeInvocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)?

  init(
    name: String, summary: String, discussion: [String] = [],
    arguments: [ArgumentDescription] = [], options: [OptionDescription] = [],
    subcommands: [CommandDescription] = [], isHidden: Bool = false,
    sections: [HelpSection] = [], examples: [String] = [],
    makeInvocation: (@Sendable (ParsedArguments) throws(UsageError) -> Invocation)? = nil
  ) {
    precondition(subcommands.isEmpty || arguments.isEmpty, "\(name) has two kinds of arguments")
    precondition(!subcommands.isEmpty || makeInvocation != nil, "\(name) does nothing")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments
    self.options = options + [Flag.help.description]
    self.subcommands = subcommands
    self.isHidden = isHidden
    self.sections = sections
    self.examples = examples
    self.makeInvocation = makeInvocation
  }
}

extension CommandDescription {
  /// The subcommands that users are told of.
  var visibleSubcommands: [CommandDescription] { subcommands.filter { !$0.isHidden } }
}
