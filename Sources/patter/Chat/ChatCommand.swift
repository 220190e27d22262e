/// `patter chat`: line mode.
enum ChatCommand {
  static func run(_ options: ChatOptions) -> ExitCode {
    Output.write([.error("patter chat: not wired up yet")])
    return .internalError
  }
}
