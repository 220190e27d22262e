import Primitives
import Testing

@testable import DatagramPeer

/// Flows against each other over 12 Mbit/s (1,250 datagrams a second), 40 ms there and back, and a
/// queue of 40 ms: the path holds 100 datagrams.
struct CongestionSharingTests {
  private func path(
    _ flows: [(CongestionControl, start: Interval)], queue: Interval = .milliseconds(40)
  ) -> SharedBottleneck {
    SharedBottleneck(
      flows, bytesPerSecond: 1_500_000, queue: queue, propagation: .milliseconds(40))
  }

  @Test("One flow fills the link", arguments: [CongestionControl.cubic, .newReno])
  func alone(algorithm: CongestionControl) {
    var path = path([(algorithm, .zero)])
    path.run(until: .zero + .seconds(5))
    let delivered = path.deliveries(until: .zero + .seconds(25))[0]
    #expect(delivered > 30_000_000 * 95 / 100)
  }

  @Test("Two CUBIC flows, of which one came late, end with a fair share")
  func twoCubic() {
    var path = path([(.cubic, .zero), (.cubic, .seconds(5))])
    path.run(until: .zero + .seconds(20))
    let shares = path.deliveries(until: .zero + .seconds(60))
    #expect(shares.reduce(0, +) > 60_000_000 * 95 / 100)
    #expect(shares.allSatisfy { $0 > 60_000_000 * 40 / 100 }, "\(shares)")
  }

  /// The queue is short: on longer ways CUBIC leaves its Reno-friendly region, and is meant to.
  @Test("NewReno holds its share against CUBIC, whoever was first", arguments: [false, true])
  func newReno(isFirst: Bool) {
    var path = path(
      [(isFirst ? .newReno : .cubic, .zero), (isFirst ? .cubic : .newReno, .seconds(5))],
      queue: .milliseconds(20))
    path.run(until: .zero + .seconds(20))
    let shares = path.deliveries(until: .zero + .seconds(60))
    #expect(shares.reduce(0, +) > 60_000_000 * 95 / 100)
    #expect(shares.allSatisfy { $0 > 60_000_000 / 3 }, "\(shares)")
  }

  @Test("HyStart++ ends slow start before a long queue overflows")
  func slowStart() {
    var path = path([(.cubic, .zero)], queue: .milliseconds(500))
    path.run(until: .zero + .seconds(5))
    #expect(path.flows[0].dropped == 0)
    #expect(path.flows[0].delivered > 7_500_000 * 85 / 100)
  }

  @Test("On a loopback path of 50 microseconds the whole rate is used")
  func loopback() {
    var path = SharedBottleneck(
      [(.cubic, .zero)], bytesPerSecond: 1_000_000_000, queue: .microseconds(200),
      propagation: .microseconds(50))
    path.run(until: .zero + .milliseconds(20))
    let delivered = path.deliveries(until: .zero + .milliseconds(70))[0]
    #expect(delivered > 50_000_000 * 95 / 100)
  }
}
