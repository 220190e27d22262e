import Host

/// The command: reads its arguments, and answers or runs what they ask for.
@main
enum Patter {
  static func main() {
    Signals.ignoreBrokenPipe()
    Program.exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  private static func run(_ arguments: [String]) -> ExitCode {
    let invocation: Invocation
    do throws(UsageFailure) {
      invocation = try Invocation(arguments)
    } catch {
      Output().write(error.lines)
      return .usage
    }
    switch invocation {
    case .answer(let answer):
      Output().write(answer.lines)
      return answer.exitCode
    case .chat(let options): return ChatCommand.run(options)
    case .who(let options): return WhoCommand.run(options)
    }
  }
}
