import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Recovery as its figures and its times show it.
struct RecoverySimulationTests {
  private let delay = Interval.milliseconds(10)

  private func acknowledgements(_ lan: EndpointLAN, _ host: HostID) -> [Instant] {
    (lan.told[host] ?? []).compactMap { time, event in
      if case .acknowledged = event { return time }
      return nil
    }
  }

  private func quiet() -> DatagramConfiguration {
    var configuration = DatagramConfiguration()
    configuration.redundancy = .none
    return configuration
  }

  @Test
  func `losses that were none are counted as such`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(configuration: quiet())
    // Some overtake all that is under way: the others seem to be lost, and are only late.
    lan.network.impairment = Impairment(delay: .milliseconds(40), reorder: 0.05)
    for number in 0..<500 {
      lan.send(number, from: sender, SendOptions())
      lan.network.run(for: .milliseconds(2))
    }
    lan.network.run(for: .seconds(3))
    let figures = try #require(lan.statistics(at: sender))
    #expect((figures.spuriouslyLost ?? 0) > 0)
    #expect(figures.spuriouslyLost == figures.datagramsLost)
    #expect((figures.bytesRetransmitted ?? 0) > 0)
    #expect((lan.statistics(at: receiver)?.reordered ?? 0) > 0)
    #expect(lan.arrivals(at: receiver).map(\.number) == Array(0..<500))
  }

  @Test
  func `a long outage is persistent congestion, and the window begins anew`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(configuration: quiet())
    lan.send(0..<3_000, size: 1_000, channels: [0], from: sender)
    lan.network.run(for: .milliseconds(100))
    let before = lan.statistics(at: sender)?.congestionWindow ?? 0
    #expect(before > 50_000)
    lan.network.partition([sender])
    lan.network.run(for: .seconds(3))
    lan.network.heal()
    let isSmall = lan.network.run(until: lan.network.now + .seconds(2)) {
      (lan.statistics(at: sender)?.congestionWindow ?? .max) <= 4 * 1_452
    }
    #expect(isSmall)
    lan.network.run(for: .seconds(20))
    #expect(lan.arrivals(at: receiver).map(\.number) == Array(0..<3_000))
  }

  @Test
  func `what comes alone is acknowledged at once, and what follows closely a little later`() throws
  {
    let (lan, sender, _) = try EndpointLAN.pair(configuration: quiet())
    let start = lan.network.now
    lan.send(0, from: sender, SendOptions())
    lan.network.run(for: .milliseconds(1))
    lan.send(1, from: sender, SendOptions())
    lan.network.run(for: .seconds(1))
    let times = acknowledgements(lan, sender)
    try #require(times.count == 2)
    #expect(times[0] == start + delay * 2)
    // An eighth of the round-trip time that the receiver knows or assumes, at most 25 ms.
    let wait = times[1] - (start + .milliseconds(1) + delay * 2)
    #expect(wait > .milliseconds(1) && wait <= .milliseconds(25))
  }

  @Test
  func `what shows a gap is acknowledged at once, however closely it follows`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(configuration: quiet())
    lan.send(0, from: sender, SendOptions(channel: 0))
    lan.losing(from: sender, to: receiver) { lan.send(1, from: sender, SendOptions(channel: 1)) }
    lan.network.run(for: .milliseconds(1))
    let start = lan.network.now
    lan.send(2, from: sender, SendOptions(channel: 2))
    lan.network.run(for: delay * 2)
    #expect(acknowledgements(lan, sender).last == start + delay * 2)
  }

  @Test
  func `every figure of the protocol is there for a peer, and the gauges are not added up`() throws
  {
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(loss: 0.1, delay: .milliseconds(10), duplicate: 0.1, reorder: 0.05))
    for number in 0..<500 {
      lan.send(number, size: 400, from: sender, SendOptions())
      lan.network.run(for: .milliseconds(3))
    }
    let figures = try #require(lan.statistics(at: sender))
    let unknown = Mirror(reflecting: figures).children.filter {
      Mirror(reflecting: $0.value).displayStyle == .optional
        && Mirror(reflecting: $0.value).children.isEmpty
    }
    #expect(unknown.map { $0.label ?? "" }.isEmpty)
    #expect(figures.messagesSent == 500 && (figures.bytesSent ?? 0) > 500 * 400)
    #expect((figures.datagramsLost ?? 0) > 10 && (figures.bytesInFlight ?? 0) > 0)
    #expect((figures.bytesRetransmitted ?? 0) + (figures.bytesRedundant ?? 0) > 0)
    lan.network.run(for: .seconds(5))
    let other = try #require(lan.statistics(at: receiver))
    #expect(other.messagesReceived == 500)
    #expect((other.duplicates ?? 0) > 0 && (other.reordered ?? 0) > 0)
    let roundTrip = try #require(lan.statistics(at: sender)?.roundTripTime)
    #expect(roundTrip.minimum <= roundTrip.smoothed && roundTrip.minimum > .zero)
    // Gauges mean nothing added up; counters are the sum.
    let total = lan.with(sender) { endpoint, _ in endpoint.statistics }
    #expect(total.bytesInFlight == nil && total.roundTripTime == nil)
    #expect(total.datagramsSent == lan.statistics(at: sender)?.datagramsSent)
  }
}
