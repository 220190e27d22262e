import NetworkEmulator
import Primitives
import Testing

@testable import UDPTransport

struct ImpairedLinkTests {
  static func link(_ text: String) throws -> ImpairedLink<Int> {
    let setting = try ImpairmentSetting(parsing: text)
    return ImpairedLink(
      try #require(setting.link(.outgoing, carrying: Int.self, seed: 1)))
  }

  /// Which of 100 datagrams to each of three addresses arrive, where these are their ports.
  static func arrivals(_ ports: [UInt16], _ text: String) throws -> [Int] {
    var link = try link(text)
    var arrived: [Int] = []
    for number in 0..<300 {
      link.offer(
        number, size: 100, peer: Loopback.address(ports[number % 3]), at: .zero)
      while let item = link.nextDue(at: .zero) { arrived.append(item) }
    }
    return arrived
  }

  @Test func theSameSeedMeansTheSameFatesWhateverThePorts() throws {
    let first = try Self.arrivals([1, 2, 3], "loss=20%,seed=7")
    #expect(try Self.arrivals([30_003, 11, 500], "loss=20%,seed=7") == first)
    #expect(try Self.arrivals([1, 2, 3], "loss=20%,seed=8") != first)
    #expect((180..<290).contains(first.count))
  }

  @Test func delayHoldsBack() throws {
    var link = try Self.link("delay=40ms")
    link.offer(1, size: 100, peer: Loopback.address(1), at: .zero)
    let due = Instant.zero + .milliseconds(40)
    #expect(link.deadline == due)
    #expect(link.nextDue(at: .zero) == nil)
    #expect(link.nextDue(at: due) == 1)
    #expect(link.statistics.delivered == 1)
  }

  @Test func anyNumberOfAddressesIsCarried() throws {
    var link = try Self.link("delay=1ms")
    for port in UInt16(1)...2_000 {
      link.offer(Int(port), size: 10, peer: Loopback.address(port), at: .zero)
    }
    var count = 0
    while link.nextDue(at: .zero + .milliseconds(1)) != nil { count += 1 }
    #expect(count == 2_000)
  }
}
