/// A call to the operating system that failed, as a value.
public struct SystemError: Error, Hashable, Sendable {
  /// The system's number for what went wrong (`errno`).
  public let code: Int32
  /// The call that failed, such as `bind`.
  public let call: String
  /// The system's words for it, such as `Address already in use`.
  public let reason: String

  public init(code: Int32, call: String, reason: String) {
    self.code = code
    self.call = call
    self.reason = reason
  }
}

extension SystemError: CustomStringConvertible {
  /// `bind: Address already in use (errno 98)`.
  public var description: String { "\(call): \(reason) (errno \(code))" }
}
