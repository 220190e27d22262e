extension IPAddress: CustomStringConvertible {
  /// The address in its usual text form; IPv6 as in RFC 5952, without a scope.
  public var description: String {
    guard family == .ipv6 else { return dottedQuad }
    // An IPv4 address behind its well-known prefix (RFC 5952, section 5).
    if high == 0, low >> 32 == 0xFFFF { return "::ffff:" + dottedQuad }
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> shift($0)) }
    guard let zeros = longestRunOfZeros(in: groups) else {
      return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
    let before = groups[..<zeros.lowerBound].map { String($0, radix: 16) }.joined(separator: ":")
    let after = groups[zeros.upperBound...].map { String($0, radix: 16) }.joined(separator: ":")
    return before + "::" + after
  }

  /// Reads an address in text form, strictly: four decimal octets, or RFC 4291, section 2.2.
  ///
  /// Returns `nil` for anything else: a name, a scope, a port, or white space around it.
  public init?(_ text: some StringProtocol) {
    if text.contains(":") {
      self.init(ipv6Text: Substring(text))
    } else {
      guard let bits = Self.ipv4Bits(Substring(text)) else { return nil }
      self.init(ipv4: bits)
    }
  }

  private var dottedQuad: String {
    "\(low >> 24 & 0xFF).\(low >> 16 & 0xFF).\(low >> 8 & 0xFF).\(low & 0xFF)"
  }

  private init?(ipv6Text text: Substring) {
    var groups: [UInt16] = []
    var gapAt: Int?
    var rest = text
    if rest.hasPrefix("::") {
      gapAt = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let group = rest.prefix { $0 != ":" }
      rest = rest.dropFirst(group.count)
      if group.contains(".") {
        guard rest.isEmpty, let bits = Self.ipv4Bits(group) else { return nil }
        groups += [UInt16(bits >> 16), UInt16(truncatingIfNeeded: bits)]
        break
      }
      guard group.count <= 4, group.utf8.allSatisfy(isHexDigit),
        let value = UInt16(group, radix: 16)
      else { return nil }
      groups.append(value)
      guard groups.count <= 8 else { return nil }
      if rest.hasPrefix("::") {
        guard gapAt == nil else { return nil }
        gapAt = groups.count
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix(":") {
        rest = rest.dropFirst()
        guard !rest.isEmpty else { return nil }
      }
    }
    if let gapAt {
      guard groups.count < 8 else { return nil }
      groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gapAt)
    }
    guard groups.count == 8 else { return nil }
    let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
    self.init(ipv6High: halves[0], low: halves[1])
  }

  private static func ipv4Bits(_ text: Substring) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      // A leading zero means octal to some programs and decimal to others, so it is refused.
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        part.utf8.count == 1 || part.first != "0", let octet = UInt8(part)
      else { return nil }
      bits = bits << 8 | UInt32(octet)
    }
    return bits
  }
}

private func shift(_ group: Int) -> UInt64 { UInt64(3 - group % 4) * 16 }

private func isHexDigit(_ byte: UInt8) -> Bool {
  (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
}

/// The first longest run of at least two zero groups (RFC 5952, sections 4.2.2 and 4.2.3).
private func longestRunOfZeros(in groups: [UInt16]) -> Range<Int>? {
  var best = 0..<0
  var start = 0
  for (index, group) in groups.enumerated() {
    if group != 0 {
      start = index + 1
    } else if index + 1 - start > best.count {
      best = start..<(index + 1)
    }
  }
  return best.count >= 2 ? best : nil
}
