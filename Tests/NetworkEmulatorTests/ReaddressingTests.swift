import NetworkEmulator
import Primitives
import Testing

/// Hosts that get other addresses, and ways on which large datagrams vanish.
struct ReaddressingTests {
  private let network = VirtualNetwork<ToyMachine>(seed: 1)

  @Test func `a host sends from its new port and hears there`() {
    let (first, second) = (
      network.addSilentHost(.numbered(1)), network.addSilentHost(.numbered(2))
    )
    let old = network.path(from: second, to: first)
    network.reconfigureHost(first, as: .numbered(1, port: 999))
    var sources: [SocketAddress] = []
    network.tap = { if $0.event == .delivered { sources.append($0.source) } }
    network.send([1], from: first, on: network.path(from: first, to: second))
    network.send([2], from: second, on: old)
    network.run(for: .seconds(1))
    #expect(sources == [SocketAddress(ip: IPAddress(10, 0, 0, 1), port: 999)])
    #expect(network.statistics.unheard == 1)
    network.send([2], from: second, on: network.path(from: second, to: first))
    network.run(for: .seconds(1))
    #expect(network.statistics.delivered == 2)
  }

  @Test func `nobody is at the old address`() {
    let (first, second) = (
      network.addSilentHost(.numbered(1)), network.addSilentHost(.numbered(2))
    )
    let old = network.path(from: second, to: first)
    network.reconfigureHost(first, as: .numbered(3))
    network.send([1], from: second, on: old)
    network.run(for: .seconds(1))
    #expect(network.statistics.unreachable == 1)
  }

  @Test(arguments: [true, false])
  func `large datagrams vanish at either end of a black hole, until it is gone`(
    isSender: Bool
  ) {
    let (first, second) = (
      network.addSilentHost(.numbered(1)), network.addSilentHost(.numbered(2))
    )
    let path = network.path(from: first, to: second)
    network.setBlackHole(above: 1_200, at: isSender ? first : second)
    for size in [1_200, 1_201] {
      network.send(Array(repeating: 0, count: size), from: first, on: path)
    }
    network.run(for: .seconds(1))
    #expect(network.statistics.delivered == 1)
    #expect(network.statistics.tooLarge == 1)
    network.setBlackHole(above: nil, at: isSender ? first : second)
    network.send(Array(repeating: 0, count: 1_201), from: first, on: path)
    network.run(for: .seconds(1))
    #expect(network.statistics.delivered == 2)
  }
}
