import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Early copies between two endpoints.
struct CopySimulationTests {
  /// Datagrams that carry 20 messages and what they lead to, over a link of this delay.
  private func datagrams(copies: Int, delay: Interval) throws -> UInt64 {
    var configuration = DatagramConfiguration()
    configuration.earlyCopies = EarlyCopies(count: copies, spacing: .milliseconds(5))
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: delay))
    let (first, second) = (lan.add(1, configuration), lan.add(2, configuration))
    try lan.join(first, second)
    lan.network.run(for: .milliseconds(500))
    let before = lan.network.statistics.sent
    for number in UInt8(0)..<20 {
      lan.send([number], from: first)
      lan.network.run(for: .milliseconds(300))
    }
    #expect(lan.payloads(at: second) == (0..<20).map { [$0] })
    return UInt64(lan.network.statistics.sent - before)
  }

  @Test
  func `where the answer comes sooner than a copy, none is sent`() throws {
    let delay = Interval.milliseconds(1)
    #expect(try datagrams(copies: 2, delay: delay) == datagrams(copies: 0, delay: delay))
  }

  @Test
  func `where it comes later, both copies are sent, and one acknowledgement for them`() throws {
    let delay = Interval.milliseconds(25)
    let difference = try datagrams(copies: 2, delay: delay) - datagrams(copies: 0, delay: delay)
    #expect(difference == 20 * 3)
  }
}
