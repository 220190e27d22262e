/// Every command there is. Parsing, help, and whatever else is said about the commands, come from
/// this one table.
enum CommandTable {
  static let root: CommandDescription = CommandDescription(
    name: "patter",
    summary: "Talk over UDP on this network, without a server.",
    options: [Flag.version.description],
    subcommands: [
      ChatOptions.command, WhoOptions.command, SimulateOptions.command, BenchOptions.command, help,
    ],
    sections: [
      HelpSection(
        title: "exit codes",
        rows: ExitCode.allCases.map { HelpSection.Row("\($0.rawValue)", $0.meaning) })
    ],
    examples: ["patter chat --name Luke", "patter who", "patter help chat"])

  private static let topic = Argument(
    "COMMAND", .string, isRequired: false, isRepeatable: true, help: "the command to explain")

  private static let help: CommandDescription = CommandDescription(
    name: "help",
    summary: "Explain a command.",
    arguments: [topic.description],
    makeInvocation: { arguments throws(UsageError) in
      var path = CommandPath(root: root)
      for name in try arguments.values(of: topic) { path = try path.appending(name) }
      return .help(for: path)
    })
}
