/// How the program ends, told to whoever started it. The numbers are part of the interface.
enum ExitCode: Int32, CaseIterable, Sendable {
  case done = 0
  case internalError = 1
  case usage = 2
  case noPeer = 3
  case notAcknowledged = 4
  case networkUnusable = 5
  case identityInUse = 6
  case refused = 7
  case untrustworthy = 8
  case interrupted = 130
  case terminated = 143

  /// What the code says, as the help text lists it.
  var meaning: String {
    switch self {
    case .done: "done, and what was required is met"
    case .internalError: "internal error, or standard input, output or a trace cannot be used"
    case .usage: "wrong usage: an unknown option, a bad value"
    case .noPeer: "no peer where one was needed, or none that speaks our version"
    case .notAcknowledged: "sent, but not acknowledged as required"
    case .networkUnusable: "the network cannot be used"
    case .identityInUse: "the identity given by --identity is in use"
    case .refused: "refused: too long, too fast, wrong key"
    case .untrustworthy: "a measurement that cannot be trusted"
    case .interrupted: "ended by SIGINT (Ctrl-C)"
    case .terminated: "ended by SIGTERM"
    }
  }
}
