import Primitives
import Testing

@testable import DatagramPeer

struct HyStartTests {
  /// Rounds of ten acknowledgements, a second each; the answers to the last one of each round.
  private func rounds(_ milliseconds: [Int64], samples: Int64 = 10) -> [HyStart.Step] {
    var hyStart = HyStart()
    var last: [HyStart.Step] = []
    for (index, sample) in milliseconds.enumerated() {
      let start = Instant.zero + .seconds(Int64(index))
      var step = HyStart.Step.full
      for count in 0..<samples where step != .leave {
        // The first acknowledgement of a round speaks of what was sent at the start of the one
        // before; the start of this one is then.
        step = hyStart.step(
          sample: .milliseconds(sample), newestSentAt: start - .seconds(1) + .milliseconds(count),
          at: start + .milliseconds(count))
      }
      last.append(step)
      if step == .leave { break }
    }
    return last
  }

  @Test("A steady round-trip time never ends slow start")
  func steady() {
    #expect(rounds(Array(repeating: 40, count: 20)) == Array(repeating: .full, count: 20))
  }

  @Test("A rise of an eighth ends it after five rounds of a quarter of the speed")
  func exit() {
    let found = rounds([40, 40, 45, 45, 46, 47, 48, 49, 50])
    let expected: [HyStart.Step] =
      [.full, .full] + Array(repeating: .conservative, count: 5) + [.leave]
    #expect(found == expected)
  }

  @Test("A rise of less is none: between 4 and 16 ms, else an eighth")
  func thresholds() {
    #expect(HyStart.rise(above: .milliseconds(1)) == .milliseconds(4))
    #expect(HyStart.rise(above: .milliseconds(40)) == .milliseconds(5))
    #expect(HyStart.rise(above: .milliseconds(400)) == .milliseconds(16))
    #expect(rounds([40, 44, 48, 52]) == [.full, .full, .full, .full])
  }

  @Test("Where the time falls again slow start goes on")
  func jitter() {
    #expect(
      rounds([40, 40, 50, 50, 40, 40]) == [
        .full, .full, .conservative, .conservative, .full, .full,
      ])
  }

  @Test("Fewer than eight measurements in a round prove nothing")
  func fewSamples() {
    #expect(rounds([40, 40, 90, 90, 90], samples: 7).allSatisfy { $0 == .full })
    #expect(rounds([40, 40, 90], samples: 8).last == .conservative)
  }

  @Test("One slow measurement among fast ones proves nothing")
  func outlier() {
    var hyStart = HyStart()
    for count in 0..<100 {
      let now = Instant.zero + .milliseconds(Int64(count) * 5)
      let step = hyStart.step(
        sample: .milliseconds(count % 7 == 0 ? 400 : 40), newestSentAt: now - .milliseconds(40),
        at: now)
      #expect(step == .full)
    }
  }
}
