import Primitives
import Testing

@testable import DatagramPeer

/// What the policies are for, in the model: messages of 64 bytes, 60 a second, 25 ms one way,
/// unless said otherwise. Latencies are from the intended time of sending to delivery in order;
/// bytes are all that either side sends for a message, with the headers of IP and UDP.
struct RedundancyModelTests {
  private func run(
    _ policy: Redundancy, copies: EarlyCopies = .none, _ loss: RedundancyModel.Loss,
    seeds: Range<UInt64> = 0..<12
  ) -> RedundancyModel.Result {
    RedundancyModel.run(
      RedundancyModel.Setting(policy: policy, copies: copies, loss: loss), seeds: seeds)
  }

  @Test(
    "Adaptive redundancy keeps the 99th percentile low, and its price",
    arguments: [(0.05, 46.0, 310.0), (0.1, 60, 320), (0.2, 80, 400)])
  func adaptive(loss: Double, milliseconds: Double, bytes: Double) {
    let result = run(.standard, .independent(loss))
    #expect(result.percentile(0.99) <= milliseconds)
    #expect(result.bytesPerMessage <= bytes)
    #expect(run(.none, .independent(loss), seeds: 0..<3).percentile(0.99) > 2 * milliseconds)
  }

  @Test("Where nothing is lost, adaptive redundancy costs nothing")
  func noLoss() {
    let adaptive = run(.standard, .none, seeds: 0..<2)
    #expect(adaptive.bytesPerMessage == run(.none, .none, seeds: 0..<2).bytesPerMessage)
  }

  @Test("In bursts the first packet after one brings all that was lost in it")
  func bursts() {
    let result = run(.standard, .bursts, seeds: 0..<40)
    #expect(result.percentile(0.99) <= 165)
    #expect(run(.none, .bursts, seeds: 0..<10).percentile(0.99) > 200)
  }

  @Test(
    "More rides, less waiting, more bytes",
    arguments: [(1, 110.0, 230.0), (2, 60, 294), (3, 60, 360), (4, 60, 375)])
  func upTo(sends: Int, milliseconds: Double, bytes: Double) {
    let result = run(.upTo(sends), .independent(0.1))
    #expect(result.percentile(0.99) <= milliseconds)
    #expect(result.bytesPerMessage <= bytes)
  }

  @Test("Copies at 3 and 6 ms", arguments: [(0.1, 40.0), (0.2, 50)])
  func copies(loss: Double, milliseconds: Double) {
    let copies = EarlyCopies(count: 2, spacing: .milliseconds(3))
    let result = run(.upTo(2), copies: copies, .independent(loss))
    #expect(result.percentile(0.99) <= milliseconds)
    #expect(result.bytesPerMessage <= 500)
  }

  @Test(
    "A sparse chat, a message each half second",
    arguments: [(0.1, Int64(25_000), 35.0), (0.05, 1_000, 6)])
  func sparse(loss: Double, delay: Int64, milliseconds: Double) {
    for copies in [EarlyCopies.none, EarlyCopies(count: 2, spacing: .milliseconds(3))] {
      let setting = RedundancyModel.Setting(
        policy: .standard, copies: copies, loss: .independent(loss),
        interval: .milliseconds(500), delay: .microseconds(delay), messages: 120,
        lossFrom: .zero, countFrom: .zero)
      let result = RedundancyModel.run(setting, seeds: 0..<60)
      #expect(result.percentile(0.99) <= milliseconds)
    }
  }
}
