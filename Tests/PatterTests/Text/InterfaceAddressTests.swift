import Primitives
import Testing

@testable import patter

struct InterfaceAddressTests {
  private static let linkLocal = IPAddress(ipv6High: 0xFE80 << 48, low: 1)
  private static let global = IPAddress(ipv6High: 0x2001_0DB8 << 32, low: 1)

  @Test(arguments: [
    (SocketAddress(ip: IPAddress(192, 0, 2, 7), port: 9), "eth0", "192.0.2.7:9"),
    (SocketAddress(ip: global, port: 9), "eth0", "[2001:db8::1]:9"),
    (SocketAddress(ip: linkLocal, port: 9, scope: 3), "eth0", "[fe80::1%eth0]:9"),
    (SocketAddress(ip: linkLocal, port: 9, scope: 3), nil, "[fe80::1%3]:9"),
    (SocketAddress(ip: linkLocal, port: 9), nil, "[fe80::1]:9"),
  ])
  func showsAnAddressAsItCanBeTyped(address: SocketAddress, interface: String?, text: String) {
    #expect(InterfaceAddress(address, interface: interface).text == text)
  }
}
