import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

struct AcknowledgementSizeTests {
  /// Bytes of the datagrams that the receiver of a one-way stream sends, on average.
  private func answerSize(loss: Double, seed: UInt64) throws -> Double {
    let lan = EndpointLAN(seed: seed, impairment: Impairment(delay: .milliseconds(25)))
    let (first, second) = (lan.add(1), lan.add(2))
    try lan.join(first, second)
    lan.network.setImpairment(
      Impairment(loss: loss, delay: .milliseconds(25)), between: first, and: second)
    let before = lan.network.statistics(from: second, to: first)
    for number in 0..<1_200 {
      lan.send([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 64), from: first)
      lan.network.run(for: .microseconds(16_667))
    }
    let after = lan.network.statistics(from: second, to: first)
    return Double(after.offeredBytes - before.offeredBytes) / Double(after.offered - before.offered)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func whatHasArrivedIsNotToldForEver(seed: UInt64) throws {
    let (clean, lossy) = (
      try answerSize(loss: 0, seed: seed), try answerSize(loss: 0.1, seed: seed)
    )
    // Without an end to it there would be 32 ranges of two bytes.
    #expect(lossy < clean + 12, "seed \(seed): \(clean) and \(lossy) bytes")
  }
}
