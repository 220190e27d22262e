import Benchmarks

/// What `patter bench` was asked to do: a report, or one end of what is measured.
enum BenchTask: Hashable, Sendable {
  /// Which end a program is.
  enum Role: String, Hashable, Sendable {
    case server
    case client
  }

  case report(BenchOptions)
  case floor(FloorProgram)
  case flood(FloodProgram, Role)
  case echo(EchoProgram, Role)
  case stream(StreamProgram, Role)
  case wire(WireProgram)
  case forgery(ForgeryProgram)
}
