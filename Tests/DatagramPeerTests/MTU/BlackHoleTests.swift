import Primitives
import Testing

@testable import DatagramPeer

struct BlackHoleTests {
  /// A path that carries 1,472 bytes.
  private func found() -> PathMTU {
    var mtu = PathMTU(maximum: 1_472)
    for size in [1_452, 1_472] {
      mtu.wantsLarger = true
      #expect(mtu.nextProbe(at: .zero) == size)
      mtu.didAcknowledge(size: size, isProbe: true)
    }
    return mtu
  }

  /// How many rounds of losses it takes to see a hole: in each, some large packets are lost and a
  /// small one arrives.
  private func rounds(lossRate: Double, large: Int = 10) -> Int {
    var mtu = found()
    var generator = SplitMix64(seed: 7)
    for _ in 0..<5_000 {
      let size = Bool.random(using: &generator) ? 1_472 : 100
      if generator.unitInterval() < lossRate {
        mtu.didLose(size: size, isProbe: false, at: .zero)
      } else {
        mtu.didAcknowledge(size: size, isProbe: false)
      }
    }
    mtu.didAcknowledge(size: 1_472, isProbe: false)
    for round in 1...1_000 {
      for _ in 0..<large { mtu.didLose(size: 1_472, isProbe: false, at: .zero) }
      mtu.didAcknowledge(size: 100, isProbe: false)
      if mtu.current == 1_200 { return round }
    }
    return .max
  }

  @Test("A hole is seen after a few rounds, later where loss is ordinary")
  func hole() {
    #expect(rounds(lossRate: 0) == 5)
    #expect(rounds(lossRate: 0, large: 1) == 5)
    #expect((5...14).contains(rounds(lossRate: 0.2)))
  }

  @Test("After a hole there is a pause, and the size that failed is not tried again")
  func afterwards() {
    var mtu = found()
    for _ in 0..<5 {
      mtu.didLose(size: 1_460, isProbe: false, at: .zero)
      mtu.didAcknowledge(size: 1_200, isProbe: false)
    }
    #expect(mtu.current == 1_200)
    mtu.wantsLarger = true
    #expect(mtu.deadline == .zero + .seconds(60))
    #expect(mtu.nextProbe(at: .zero + .seconds(59)) == nil)
    #expect(mtu.nextProbe(at: .zero + .seconds(60)) == 1_330)
  }

  @Test(
    "Random loss is no hole, whatever its rate and the share of large packets",
    arguments: [0.01, 0.05, 0.1, 0.2, 0.3], [0.02, 0.1, 0.5, 0.98])
  func randomLoss(lossRate: Double, share: Double) {
    for seed in UInt64(0)..<5 {
      var mtu = found()
      var generator = SplitMix64(seed: seed)
      for _ in 0..<20_000 {
        let size = generator.unitInterval() < share ? 1_472 : 100
        if generator.unitInterval() < lossRate {
          mtu.didLose(size: size, isProbe: false, at: .zero)
        } else {
          mtu.didAcknowledge(size: size, isProbe: false)
        }
      }
      #expect(mtu.current == 1_472, "seed \(seed)")
    }
  }

  @Test("Bursts in which all is lost are no hole", arguments: UInt64(0)..<20)
  func bursts(seed: UInt64) {
    var mtu = found()
    var generator = SplitMix64(seed: seed)
    var isBad = false
    for _ in 0..<50_000 {
      // Bursts of 40 packets on average, a tenth of the time.
      if generator.unitInterval() < (isBad ? 1.0 / 40 : 1.0 / 360) { isBad.toggle() }
      let size = generator.unitInterval() < 0.3 ? 1_472 : 100
      if isBad {
        mtu.didLose(size: size, isProbe: false, at: .zero)
      } else {
        mtu.didAcknowledge(size: size, isProbe: false)
      }
    }
    #expect(mtu.current == 1_472, "seed \(seed)")
  }

  @Test("Where nothing at all arrives, it is not the size")
  func silence() {
    var mtu = found()
    for _ in 0..<1_000 { mtu.didLose(size: 1_472, isProbe: false, at: .zero) }
    #expect(mtu.current == 1_472)
  }
}
