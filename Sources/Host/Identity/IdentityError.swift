public import Primitives

/// Why a stored identity cannot be used.
public enum IdentityError: Error, Hashable, Sendable {
  /// Another process has it.
  case inUse(path: String)
  /// The file is there, but cannot be read.
  case unreadable(path: String, SystemError)
  /// The file holds something other than an identity.
  case corrupt(path: String, line: Int)
  /// The file, its lock or its directory cannot be written.
  case cannotWrite(path: String, SystemError)
}

extension IdentityError: CustomStringConvertible {
  /// One line for a person, with what to do where there is something.
  public var description: String {
    switch self {
    case .inUse(let path):
      "the identity in '\(path)' is in use by another process"
    case .unreadable(let path, let error):
      "the identity in '\(path)' cannot be read: \(error.reason)"
    case .corrupt(let path, let line):
      "the identity in '\(path)' is damaged in line \(line); remove the file to get a new one"
    case .cannotWrite(let path, let error):
      "the identity in '\(path)' cannot be written: \(error.reason) (\(error.call))"
    }
  }
}
