import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Paths that change while much is under way.
struct PathChangeSimulationTests {
  /// A transfer that is under way, on a path whose larger datagrams have been found.
  private func transfer() throws -> (lan: EndpointLAN, sender: HostID, receiver: HostID) {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    lan.send(0..<3_000, size: 1_000, channels: [0], from: sender)
    let isFound = lan.network.run(until: lan.network.now + .seconds(5)) {
      lan.inspect(sender) { $0.pathMTU.current } == 1_452
    }
    try #require(isFound && lan.arrivals(at: receiver).count < 1_500)
    return (lan, sender, receiver)
  }

  private func expectAll(_ lan: EndpointLAN, at receiver: HostID) {
    let isWhole = lan.arrivals(at: receiver).map(\.number) == Array(0..<3_000)
    #expect(isWhole, "\(lan.arrivals(at: receiver).count) of 3,000")
    lan.check("")
  }

  @Test
  func `a datagram that the kernel finds too large is told the machine alone, and nothing is lost`()
    throws
  {
    let (lan, sender, receiver) = try transfer()
    lan.network.setBlackHole(above: 1_300, at: receiver)
    let path = try #require(lan.inspect(sender) { $0.paths.current })
    let before = lan.events(at: sender).count
    lan.with(sender) { endpoint, now in
      endpoint.didFailToSend(size: 1_452, on: path, error: .tooLarge, at: now)
    }
    #expect(lan.events(at: sender).count == before)
    #expect(lan.inspect(sender) { $0.pathMTU.current } == 1_200)
    lan.network.run(for: .seconds(20))
    #expect((1_200...1_300).contains(lan.statistics(at: sender)?.datagramSize ?? 0))
    expectAll(lan, at: receiver)
  }

  @Test
  func `a failure of another kind, or on a path of somebody else, changes nothing`() throws {
    let (lan, sender, receiver) = try transfer()
    let path = try #require(lan.inspect(sender) { $0.paths.current })
    var other = path
    other.remote.port += 1
    lan.with(sender) { endpoint, now in
      endpoint.didFailToSend(size: 1_452, on: path, error: .other, at: now)
      endpoint.didFailToSend(size: 1_452, on: other, error: .tooLarge, at: now)
    }
    #expect(lan.inspect(sender) { $0.pathMTU.current } == 1_452)
    lan.network.run(for: .seconds(10))
    expectAll(lan, at: receiver)
  }

  @Test
  func `a path that swallows large datagrams without a word is found out in mid-transfer`() throws {
    let (lan, sender, receiver) = try transfer()
    lan.network.setBlackHole(above: 1_300, at: receiver)
    lan.network.run(for: .seconds(30))
    #expect((lan.statistics(at: sender)?.datagramSize ?? 0) <= 1_300)
    expectAll(lan, at: receiver)
  }

  @Test(arguments: [true, false])
  func `either end may get another address in mid-transfer`(isSender: Bool) throws {
    let (lan, sender, receiver) = try transfer()
    let mover = isSender ? sender : receiver
    var place = HostConfiguration.numbered(50)
    // The interface itself stays.
    place.attachments[0].interface.index =
      lan.network.configuration(of: mover).attachments[0].interface.index
    lan.network.reconfigureHost(mover, as: place)
    // What was under way to the old address still comes, and says nothing about where we are now.
    lan.network.run(for: .milliseconds(20))
    lan.with(mover) { endpoint, _ in
      endpoint.localAddressesChanged(place.interfaces.flatMap { $0.addresses.map(\.ip) })
    }
    lan.network.run(for: .seconds(20))
    #expect(lan.leaves(at: sender).isEmpty && lan.leaves(at: receiver).isEmpty)
    expectAll(lan, at: receiver)
  }
}
