/// What the arguments of one start ask for, checked as far as that is possible without a network.
enum Invocation: Hashable, Sendable {
  /// Something that needs no more than to be printed.
  case answer(Answer)
  case chat(ChatOptions)
  case who(WhoOptions)
  case bench(BenchTask)
  case simulate(SimulateOptions)

  /// Lines to print, and the code to end with.
  struct Answer: Hashable, Sendable {
    var lines: [OutputLine]
    var exitCode: ExitCode
  }

  /// Reads the arguments behind the program's name.
  init(_ arguments: [String]) throws(UsageFailure) {
    var path = CommandPath(root: CommandTable.root)
    var rest = arguments[...]
    while true {
      do throws(UsageError) {
        let parsed = try ArgumentParser.parse(rest, for: path.command)
        if parsed.has(.help) {
          self = .help(for: path)
          return
        }
        if parsed.has(.version) {
          self = .answer(Answer(lines: [.out(Version.line)], exitCode: .done))
          return
        }
        if let makeInvocation = path.command.makeInvocation, parsed.rest.isEmpty {
          self = try makeInvocation(parsed)
          return
        }
        guard let name = parsed.rest.first else {
          let help = HelpText(of: path).lines.map(OutputLine.error)
          self = .answer(Answer(lines: help, exitCode: .usage))
          return
        }
        let next = try path.appending(name)
        if !parsed.isEmpty {
          throw UsageError.conflict("the options of \(next.name) stand behind its name")
        }
        path = next
        rest = parsed.rest.dropFirst()
      } catch {
        throw UsageFailure(command: path.name, error: error)
      }
    }
  }

  /// The help text of a command, asked for and therefore data.
  static func help(for path: CommandPath) -> Invocation {
    .answer(Answer(lines: HelpText(of: path).lines.map(OutputLine.out), exitCode: .done))
  }
}
