import Primitives
import Testing

/// The text of addresses, by RFC 4291, section 2.2, and RFC 5952.
struct IPAddressTextTests {
  @Test(arguments: [
    // RFC 5952, section 1: many ways to write one address.
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:0db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:db8::1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:db8::0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:0db8::1:0:0:1", "2001:db8::1:0:0:1"),
    ("2001:db8:0:0:1::1", "2001:db8::1:0:0:1"),
    ("2001:DB8:0:0:1::1", "2001:db8::1:0:0:1"),
    // Section 4.1, leading zeros; 4.2.1, as short as possible; 4.2.2, no single group.
    ("2001:0db8::0001", "2001:db8::1"),
    ("2001:db8:0:0:0:0:2:1", "2001:db8::2:1"),
    ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    // Section 4.2.3, the longest run, or the first of them; 4.3, small letters.
    ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
    ("2001:db8:0:0:1:0:0:2", "2001:db8::1:0:0:2"),
    ("2001:DB8::AAAA", "2001:db8::aaaa"),
    // Section 5, an IPv4 address behind its well-known prefix.
    ("::ffff:c000:201", "::ffff:192.0.2.1"),
    ("0:0:0:0:0:FFFF:129.144.52.38", "::ffff:129.144.52.38"),
    // RFC 4291, section 2.2.
    ("0:0:0:0:0:0:0:0", "::"),
    ("0:0:0:0:0:0:0:1", "::1"),
    ("1:0:0:0:0:0:0:0", "1::"),
    ("FF01:0:0:0:0:0:0:101", "ff01::101"),
    ("0:0:0:0:0:0:13.1.68.3", "::d01:4403"),
    ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ("0.0.0.0", "0.0.0.0"),
    ("255.255.255.255", "255.255.255.255"),
    ("192.0.2.1", "192.0.2.1"),
  ])
  func isReadAndWrittenInItsOneForm(text: String, form: String) throws {
    #expect(try address(text).description == form)
    #expect(try address(form) == address(text))
  }

  @Test(arguments: [
    "", " ", "localhost", "192.0.2", "192.0.2.1.", ".192.0.2.1", "192.0.2.1.5", "192.0..1",
    "192.0.2.256", "192.0.2.01", "0x7f.0.0.1", "192.0.2.-1", "192.0.2.+1", "192.0.2.1 ",
    " 192.0.2.1", "192.0.2.1:80", "192.0.2.1000", "١٩٢.0.2.1", "3221225985",
    ":", ":::", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
    "::1:2:3:4:5:6:7:8", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "1:", ":1", "12345::", "g::",
    "::+1", "::-1", "fe80::1%eth0", "[::1]", "[::1]:80", "::1 ", " ::1", "::1\n", "::1.2.3",
    "::1.2.3.4:5", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:1.2.3.4", "::1.2.3.04",
    "::\u{301}1", "::1\u{301}", "１::", "::ffff:1.2.3.4.5", "1:2:3:4:5:6:7:8:1.2.3.4",
  ])
  func refusesWhatIsNoAddress(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func everyAddressComesBack(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let ipv4 = IPAddress(ipv4: UInt32(truncatingIfNeeded: generator.next()))
      #expect(IPAddress(ipv4.description) == ipv4, "seed \(seed)")
      let ipv6 = IPAddress(ipv6High: generator.halfOfZeros(), low: generator.halfOfZeros())
      #expect(IPAddress(ipv6.description) == ipv6, "seed \(seed)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func textThatLooksLikeAnAddressIsReadOrRefused(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let pieces = ["::", ":", ".", "0", "1", "ffff", "255", "192.0.2.1", "%", "é", "\r\n"]
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      guard let address = IPAddress(text) else { continue }
      #expect(IPAddress(address.description) == address, "seed \(seed): \(text)")
    }
  }
}

extension SplitMix64 {
  /// Four groups, each of them zero half of the time.
  fileprivate mutating func halfOfZeros() -> UInt64 {
    (0..<4).reduce(0) { half, _ in
      let bits = next()
      return half << 16 | (bits >> 63 == 0 ? 0 : bits & 0xFFFF)
    }
  }
}
