import Host

/// The command: reads its arguments, and answers or runs what they ask for.
@main
enum Patter {
  static func main() {
    StandardStreams.occupyMissing()
    Signals.ignoreBrokenPipe()
    let output = Output()
    let code = run(Array(CommandLine.arguments.dropFirst()), output: output)
    // What could not be written was not done.
    Program.exit((code == .done && output.hasFailed ? .internalError : code).rawValue)
  }

  private static func run(_ arguments: [String], output: Output) -> ExitCode {
    let invocation: Invocation
    do throws(UsageFailure) {
      invocation = try Invocation(arguments)
    } catch {
      output.write(error.lines)
      return .usage
    }
    switch invocation {
    case .answer(let answer):
      output.write(answer.lines)
      return answer.exitCode
    case .chat(let options): return ChatCommand.run(options, output: output)
    case .who(let options): return WhoCommand.run(options, output: output)
    case .bench(let task): return BenchCommand.run(task, output: output)
    case .simulate(let options): return SimulateCommand.run(options, output: output)
    }
  }
}
