import Primitives

/// What a person typed to name a host: `HOST`, `HOST:PORT`, `ADDRESS`, or `[ADDRESS%SCOPE]:PORT`.
public struct HostAndPort: Hashable, Sendable {
  /// A name or an address, the latter perhaps with its scope, without brackets.
  public let host: String
  /// The port, where one was given; never 0.
  public let port: UInt16?

  /// Reads it. Whether a name exists is not asked here.
  public init(_ text: String) throws(HostAndPortError) {
    let forbidden = text.unicodeScalars.first {
      $0.properties.isWhitespace || $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
    }
    if forbidden != nil { throw .forbiddenCharacter }
    if text.hasPrefix("[") {
      (host, port) = try Self.bracketed(text)
    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1 {
      guard Self.isIPv6(text) else { throw .notAnIPv6Address(text) }
      (host, port) = (text, nil)
    } else {
      (host, port) = try Self.plain(text)
    }
  }

  private static func bracketed(_ text: String) throws(HostAndPortError) -> (String, UInt16?) {
    guard let end = text.firstIndex(of: "]") else { throw .unclosedBracket }
    let host = String(text[text.index(after: text.startIndex)..<end])
    guard isIPv6(host) else { throw .notAnIPv6Address(host) }
    let rest = text[text.index(after: end)...]
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":") else { throw .textAfterBracket(String(rest)) }
    return (host, try number(rest.dropFirst()))
  }

  private static func plain(_ text: String) throws(HostAndPortError) -> (String, UInt16?) {
    let host = text.prefix { $0 != ":" }
    if host.isEmpty { throw .emptyHost }
    if host.utf8.count > 253 { throw .hostTooLong }
    let rest = text.dropFirst(host.count)
    return (String(host), rest.isEmpty ? nil : try number(rest.dropFirst()))
  }

  private static func number(_ text: Substring) throws(HostAndPortError) -> UInt16 {
    // `UInt16` alone would take a plus sign.
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = UInt16(text), port != 0
    else { throw .notAPort(String(text)) }
    return port
  }

  private static func isIPv6(_ text: String) -> Bool {
    let address = text.prefix { $0 != "%" }
    let scope = text.dropFirst(address.count)
    return IPAddress(address)?.family == .ipv6 && scope.count != 1
  }
}

extension HostAndPort: CustomStringConvertible {
  /// In the form in which it can be read again.
  public var description: String {
    guard let port else { return host }
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
