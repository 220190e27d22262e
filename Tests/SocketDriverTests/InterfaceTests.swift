import Primitives
import SocketDriver
import Testing

@Suite struct InterfaceTests {
  @Test func theLoopbackInterfaceIsDescribed() throws {
    let lo = try Loopback.interface()
    #expect(lo.index > 0 && !lo.name.isEmpty && !lo.isPointToPoint)
    #expect(lo.addresses.contains(.init(ip: Loopback.ipv4, prefixLength: 8)))
    #expect(lo.isOnLink(IPAddress(127, 0, 0, 9)))
  }

  @Test func eachInterfaceIsListedOnceInOrder() throws {
    let indices = try NetworkInterfaces.current().map(\.index)
    #expect(indices == Set(indices).sorted())
  }

  @Test func aMonitorThatHeardNothingSaysSo() throws {
    #expect(try InterfaceMonitor().drain() == false)
  }
}
