/// A command with those it stands below, such as `patter lab run`.
struct CommandPath: Sendable {
  /// From the program itself to the command.
  private(set) var commands: [CommandDescription]

  init(root: CommandDescription) {
    commands = [root]
  }

  var command: CommandDescription { commands[commands.count - 1] }

  /// The words that call it.
  var name: String { commands.map(\.name).joined(separator: " ") }

  /// The path to the command called `name` below this one.
  func appending(_ name: String) throws(UsageError) -> CommandPath {
    guard !command.subcommands.isEmpty else { throw .unexpectedArgument(name) }
    guard let next = command.subcommands.first(where: { $0.name == name }) else {
      throw .unknownCommand(
        name, suggestion: nearest(to: name, among: command.visibleSubcommands.map(\.name)))
    }
    var path = self
    path.commands.append(next)
    return path
  }
}
