/// What is wrong with a host that a person typed.
public enum HostAndPortError: Error, Hashable, Sendable {
  /// There is no host.
  case emptyHost
  /// A name has at most 253 bytes (RFC 1035, section 2.3.4).
  case hostTooLong
  /// There is white space or a control character in it.
  case forbiddenCharacter
  /// A port is a number from 1 to 65535; this is what stands in its place.
  case notAPort(String)
  /// The bracket is not closed.
  case unclosedBracket
  /// Behind the closed bracket stands something other than a colon and a port.
  case textAfterBracket(String)
  /// In brackets, or with several colons, it has to be an IPv6 address; this is none.
  case notAnIPv6Address(String)
}

extension HostAndPortError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .emptyHost: "there is no host"
    case .hostTooLong: "the host is longer than 253 bytes"
    case .forbiddenCharacter: "there is white space or a control character in it"
    case .notAPort(let text): "'\(text)' is not a port (1 to 65535)"
    case .unclosedBracket: "']' is missing"
    case .textAfterBracket(let text): "':PORT' was expected behind ']', and not '\(text)'"
    case .notAnIPv6Address(let text):
      "'\(text)' is not an IPv6 address (write [ADDRESS]:PORT or [ADDRESS%INTERFACE]:PORT)"
    }
  }
}
