import Primitives
import Testing

struct IPAddressTests {
  @Test(arguments: [
    ("224.0.0.0", true), ("239.255.255.255", true), ("223.255.255.255", false),
    ("240.0.0.0", false),
    ("ff02::1", true), ("ff00::", true), ("feff::", false), ("::ff02", false),
  ])
  func knowsGroups(text: String, expected: Bool) throws {
    #expect(try address(text).isMulticast == expected)
  }

  @Test(arguments: [
    ("169.254.0.0", true), ("169.254.255.255", true), ("169.253.255.255", false),
    ("169.255.0.0", false), ("fe80::", true), ("febf:ffff::1", true), ("fec0::", false),
    ("fe7f::", false), ("::169.254.0.1", false),
  ])
  func knowsLinkLocalAddresses(text: String, expected: Bool) throws {
    #expect(try address(text).isLinkLocal == expected)
  }

  @Test(arguments: [
    ("127.0.0.0", true), ("127.255.255.255", true), ("126.255.255.255", false),
    ("128.0.0.0", false), ("::1", true), ("::2", false), ("::", false), ("1::1", false),
    ("0.0.0.1", false),
  ])
  func knowsLoopback(text: String, expected: Bool) throws {
    #expect(try address(text).isLoopback == expected)
  }

  @Test(arguments: [("0.0.0.0", true), ("::", true), ("0.0.0.1", false), ("1::", false)])
  func knowsTheUnspecifiedAddress(text: String, expected: Bool) throws {
    #expect(try address(text).isUnspecified == expected)
  }

  @Test func octetsAreInOrder() throws {
    #expect(try address("192.0.2.1") == IPAddress(192, 0, 2, 1))
    #expect(IPAddress(192, 0, 2, 1) == IPAddress(ipv4: 0xC000_0201))
  }

  @Test func familiesAreNotEqual() throws {
    #expect(try address("0.0.0.1") != address("::1"))
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.254", 24), ("192.0.2.1", "192.0.3.1", 23), ("0.0.0.0", "128.0.0.0", 0),
    ("192.0.2.1", "192.0.2.1", 32), ("2001:db8::1", "2001:db8::2", 126),
    ("2001:db8:0:1::", "2001:db8:0:1:8000::", 64), ("2001:db8::", "2001:db8:0:1::", 63),
    ("::", "8000::", 0), ("::1", "::1", 128),
  ])
  func sharesBitsUpToTheFirstThatDiffers(left: String, right: String, length: Int) throws {
    let (a, b) = try (address(left), address(right))
    for candidate in 0...a.family.bitCount {
      #expect(a.hasSamePrefix(as: b, length: candidate) == (candidate <= length || a == b))
    }
  }

  @Test func sharesNoPrefixOfALengthThatDoesNotExist() throws {
    let a = try address("192.0.2.1")
    #expect(!a.hasSamePrefix(as: a, length: -1) && !a.hasSamePrefix(as: a, length: 33))
    #expect(try !a.hasSamePrefix(as: address("::"), length: 0))
  }

  @Test(arguments: [
    ("10.1.2.200", true), ("10.1.3.1", false), ("fe80::99", true), ("2001:db8::99", true),
    ("2001:db8:1::", false), ("169.254.1.1", false),
  ])
  func interfaceKnowsWhatIsOnItsLink(text: String, expected: Bool) throws {
    let interface = NetworkInterface(
      index: 2, name: "eth0",
      addresses: [
        .init(ip: IPAddress(10, 1, 2, 3), prefixLength: 24),
        .init(ip: try address("2001:db8::1"), prefixLength: 64),
      ])
    #expect(try interface.isOnLink(address(text)) == expected)
  }

  @Test(
    arguments: [
      ("192.0.2.1", 0, "192.0.2.1:28421"), ("2001:db8::1", 0, "[2001:db8::1]:28421"),
      ("fe80::1", 3, "[fe80::1%3]:28421"),
    ] as [(String, UInt32, String)])
  func socketAddressIsWrittenWithItsPort(text: String, scope: UInt32, expected: String) throws {
    let socketAddress = SocketAddress(ip: try address(text), port: 28421, scope: scope)
    #expect(socketAddress.description == expected)
  }
}

/// The address that `text` stands for, which is known to be one.
func address(_ text: String) throws -> IPAddress {
  try #require(IPAddress(text), "\(text) is an address")
}
