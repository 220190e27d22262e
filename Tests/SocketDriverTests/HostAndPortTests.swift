import Primitives
import SocketDriver
import Testing

@Suite struct HostAndPortTests {
  @Test(
    arguments: [
      ("host", "host", nil),
      ("host:28421", "host", 28_421),
      ("192.0.2.1", "192.0.2.1", nil),
      ("192.0.2.1:1", "192.0.2.1", 1),
      ("::1", "::1", nil),
      ("2001:db8::7", "2001:db8::7", nil),
      ("[::1]", "::1", nil),
      ("[::1]:65535", "::1", 65_535),
      ("fe80::1%eth0", "fe80::1%eth0", nil),
      ("[fe80::1%eth0]:9", "fe80::1%eth0", 9),
      ("müller.local:7", "müller.local", 7),
    ] as [(String, String, UInt16?)])
  func whatAPersonTypesIsRead(text: String, host: String, port: UInt16?) throws {
    let parsed = try HostAndPort(text)
    #expect(parsed.host == host)
    #expect(parsed.port == port)
    #expect(try HostAndPort(parsed.description) == parsed)
  }

  @Test(
    arguments: [
      ("", .emptyHost),
      (":5", .emptyHost),
      ("host:", .notAPort("")),
      ("host:0", .notAPort("0")),
      ("host:65536", .notAPort("65536")),
      ("host:+5", .notAPort("+5")),
      ("host:five", .notAPort("five")),
      ("[::1", .unclosedBracket),
      ("[::1]5", .textAfterBracket("5")),
      ("[::1]:", .notAPort("")),
      ("[host]:5", .notAnIPv6Address("host")),
      ("[192.0.2.1]:5", .notAnIPv6Address("192.0.2.1")),
      ("[fe80::1%]:5", .notAnIPv6Address("fe80::1%")),
      ("host:5:6", .notAnIPv6Address("host:5:6")),
      ("::1:zz", .notAnIPv6Address("::1:zz")),
      ("ho st", .forbiddenCharacter),
      ("host\n", .forbiddenCharacter),
      (String(repeating: "a", count: 254), .hostTooLong),
    ] as [(String, HostAndPortError)])
  func whatIsWrongIsTold(text: String, error: HostAndPortError) {
    #expect(throws: error) { try HostAndPort(text) }
  }
}

@Suite struct AddressResolverTests {
  @Test func anAddressIsTakenAsItStands() throws {
    #expect(
      try AddressResolver.resolve(host: "192.0.2.1", port: 5)
        == [SocketAddress(ip: IPAddress(192, 0, 2, 1), port: 5)])
    #expect(
      try AddressResolver.resolve(host: "::1", port: 6)
        == [SocketAddress(ip: Loopback.ipv6, port: 6)])
  }

  @Test func aScopeIsANameOrANumber() throws {
    let lo = try Loopback.interface()
    let expected = SocketAddress(
      ip: IPAddress(ipv6High: 0xFE80 << 48, low: 1), port: 5, scope: lo.index)
    for scope in [lo.name, String(lo.index)] {
      #expect(try AddressResolver.resolve(host: "fe80::1%\(scope)", port: 5) == [expected])
    }
  }

  @Test(
    arguments: [
      ("fe80::1", .missingScope(host: "fe80::1")),
      ("fe80::1%nosuch0", .noSuchInterface("nosuch0")),
      ("fe80::1%999999", .noSuchInterface("999999")),
      ("192.0.2.1%lo", .unexpectedScope(host: "192.0.2.1%lo")),
      ("host%lo", .unexpectedScope(host: "host%lo")),
    ] as [(String, ResolveError)])
  func whatIsWrongIsTold(host: String, error: ResolveError) {
    #expect(throws: error) { try AddressResolver.resolve(host: host, port: 5) }
  }

  @Test func localhostHasALoopbackAddress() throws {
    let addresses = try AddressResolver.resolve(host: "localhost", port: 5)
    #expect(addresses.contains { $0.ip.isLoopback })
    #expect(addresses.allSatisfy { $0.port == 5 })
  }
}
