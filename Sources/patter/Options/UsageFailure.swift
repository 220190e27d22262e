/// A mistake in the arguments, and the command it was made with.
struct UsageFailure: Error, Hashable, Sendable {
  /// The words that call the command: `patter chat`.
  var command: String
  var error: UsageError

  /// What the user reads on standard error, in one line; the program then ends with
  /// `ExitCode.usage`.
  var lines: [OutputLine] {
    [.error("\(command): \(error) (try '\(command) --help')")]
  }
}
