import Primitives
import Testing

@testable import DatagramPeer

struct PathMTUTests {
  /// A path of a given width with a caller that always wants more; time goes on by itself.
  private struct Run {
    var mtu: PathMTU
    var width: Int
    var now = Instant.zero
    var probes: [Int] = []

    init(maximum: Int, width: Int) {
      mtu = PathMTU(maximum: maximum)
      self.width = width
    }

    mutating func search(for duration: Interval, losing isLost: (Int) -> Bool = { _ in false }) {
      let end = now + duration
      while now < end {
        mtu.wantsLarger = true
        if let size = mtu.nextProbe(at: now) {
          probes.append(size)
          now = now + .milliseconds(50)
          if size <= width, !isLost(probes.count) {
            mtu.didAcknowledge(size: size, isProbe: true)
          } else {
            mtu.didLose(size: size, isProbe: true, at: now)
          }
        } else {
          now = now + .milliseconds(100)
        }
      }
    }
  }

  @Test("Nothing is probed, and no time waited for, without traffic that would gain by it")
  func idle() {
    var mtu = PathMTU(maximum: 9_000)
    #expect(mtu.current == 1_200)
    #expect(mtu.deadline == nil)
    #expect(mtu.nextProbe(at: .zero) == nil)
    mtu.wantsLarger = true
    #expect(mtu.nextProbe(at: .zero) == 1_452)
    // The next needs traffic again, and the fate of this one.
    #expect(mtu.deadline == nil)
    #expect(mtu.nextProbe(at: .zero + .seconds(100)) == nil)
  }

  @Test("Ethernet is found by two probes")
  func ethernet() {
    var run = Run(maximum: 1_472, width: 1_472)
    run.search(for: .seconds(1))
    #expect(run.probes == [1_452, 1_472])
    #expect(run.mtu.current == 1_472)
    #expect(run.mtu.deadline == nil)
  }

  @Test(
    "Whatever the width, the search ends at most 20 bytes or an eighth below it",
    arguments: [
      1_200, 1_201, 1_280, 1_372, 1_400, 1_452, 1_464, 1_472, 1_500, 4_000, 8_972, 65_507,
    ])
  func widths(width: Int) {
    var run = Run(maximum: 65_507, width: width)
    run.search(for: .seconds(120))
    let found = run.mtu.current
    #expect(found <= width && width - found <= PathMTU.granularity(above: found))
    #expect(run.probes.count < 60)
    // It is quiet now, until it is time to look again.
    let count = run.probes.count
    run.search(for: .seconds(400))
    #expect(run.probes.count == count)
    run.width = 65_507
    run.search(for: .seconds(400))
    #expect(run.mtu.current == 65_507)
  }

  @Test("A size counts as too large after three lost probes, and not after two")
  func lostProbes() {
    var run = Run(maximum: 1_472, width: 1_472)
    run.search(for: .seconds(10)) { $0 <= 2 }
    #expect(run.probes == [1_452, 1_452, 1_452, 1_472])
    #expect(run.mtu.current == 1_472)
    run = Run(maximum: 1_472, width: 1_472)
    run.search(for: .seconds(30)) { $0 <= 3 }
    #expect(run.probes.prefix(4) == [1_452, 1_452, 1_452, 1_326])
    #expect(run.mtu.current < 1_452 && run.mtu.current >= 1_432)
  }

  @Test("Probes of one size are a second apart; silence counts as loss")
  func probeTimer() {
    var mtu = PathMTU(maximum: 1_472)
    mtu.wantsLarger = true
    #expect(mtu.nextProbe(at: .zero) == 1_452)
    mtu.didLose(size: 1_452, isProbe: true, at: .zero + .milliseconds(60))
    #expect(mtu.deadline == nil)
    mtu.wantsLarger = true
    #expect(mtu.deadline == .zero + .seconds(1))
    #expect(mtu.nextProbe(at: .zero + .milliseconds(999)) == nil)
    #expect(mtu.nextProbe(at: .zero + .seconds(1)) == 1_452)
    mtu.wantsLarger = true
    #expect(mtu.nextProbe(at: .zero + .milliseconds(1_999)) == nil)
    #expect(mtu.nextProbe(at: .zero + .seconds(2)) == 1_452)
    // One that was given up for lost and comes after all tells the same.
    mtu.didAcknowledge(size: 1_452, isProbe: true)
    #expect(mtu.current == 1_452)
  }

  @Test("What the system refuses is not tried again")
  func refusedProbe() {
    var mtu = PathMTU(maximum: 65_507)
    var sizes: [Int] = []
    for step in Int64(0)..<40 {
      mtu.wantsLarger = true
      guard let size = mtu.nextProbe(at: .zero + .milliseconds(step * 10)) else { continue }
      sizes.append(size)
      if size > 1_472 {
        mtu.didFailToSend(size: size)
      } else {
        mtu.didAcknowledge(size: size, isProbe: true)
      }
    }
    #expect(mtu.current == 1_472)
    #expect(Set(sizes).count == sizes.count)
  }

  @Test("A packet that the system refuses brings the size down at once")
  func refusedPacket() {
    var run = Run(maximum: 1_472, width: 1_472)
    run.search(for: .seconds(1))
    run.mtu.didFailToSend(size: 1_472)
    #expect(run.mtu.current == 1_200)
    run.width = 1_400
    run.search(for: .seconds(30))
    #expect(run.mtu.current > 1_380 && run.mtu.current <= 1_400)
    #expect(!run.probes.dropFirst(2).contains { $0 >= 1_472 })
    // Even the base may be refused: then there is nothing smaller to go to.
    run.mtu.didFailToSend(size: 1_200)
    #expect(run.mtu.current > 1_380)
  }

  @Test("On another path all begins again, and what was said of the old one means nothing")
  func pathChange() {
    var run = Run(maximum: 1_472, width: 1_472)
    run.search(for: .seconds(1))
    run.mtu.pathChanged(at: run.now)
    #expect(run.mtu.current == 1_200)
    run.mtu.didAcknowledge(size: 1_472, isProbe: true)
    run.mtu.didLose(size: 1_452, isProbe: true, at: run.now)
    #expect(run.mtu.current == 1_200)
    #expect(run.mtu.deadline == nil)
    run.search(for: .seconds(1))
    #expect(run.probes == [1_452, 1_472, 1_452, 1_472])
  }

  @Test("A maximum of the base or below leaves nothing to look for", arguments: [0, 1_200])
  func noRoom(maximum: Int) {
    var run = Run(maximum: maximum, width: 9_000)
    run.search(for: .seconds(10))
    #expect(run.probes.isEmpty && run.mtu.current == 1_200)
  }
}
