import Primitives
import UDPTransport

/// What keeps a command from running: one line for a person, and the code to end with.
enum CommandFailure: Error {
  case usage(UsageError)
  case network(String)
  case identityInUse(String)
  case `internal`(String)

  init(_ error: UDPOpenError) {
    switch error {
    case .noSuchInterface(let name, let known):
      self = .usage(
        .badValue(
          name: "--interface", value: name,
          expected: "one of \(known.joined(separator: ", "))"))
    case .portTaken, .system: self = .network("\(error)")
    }
  }
}
