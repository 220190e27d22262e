/// `patter who`: lists who is here without joining.
enum WhoCommand {
  static func run(_ options: WhoOptions) -> ExitCode {
    Output.write([.error("patter who: not wired up yet")])
    return .internalError
  }
}
