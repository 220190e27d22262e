import NetworkEmulator
import Primitives
import Testing

/// Jitter, order, reordering and duplication of an `EmulatedLink`.
struct LinkTimingTests {
  typealias Arrived = EmulatedLinkTests.Arrived

  private func run(
    _ impairment: Impairment, seed: UInt64 = 3, count: Int = 5_000,
    spacing: Interval = .milliseconds(1)
  ) -> [Arrived] {
    var link = EmulatedLink<Int>(impairment: impairment, seed: seed)
    return EmulatedLinkTests.run(&link, count: count, spacing: spacing)
  }

  private func delays(_ arrived: [Arrived], spacing: Interval = .milliseconds(1)) -> [Double] {
    arrived.map { ($0.time - EmulatedLinkTests.sent($0.number, spacing)).milliseconds }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func jitterIsUniformAroundTheDelay(seed: UInt64) {
    // Far enough apart that no datagram waits for its predecessor.
    let spacing = Interval.milliseconds(25)
    let impairment = Impairment(delay: .milliseconds(40), jitter: .milliseconds(10))
    let delays = delays(run(impairment, seed: seed, spacing: spacing), spacing: spacing)
    #expect(delays.allSatisfy { (30...50).contains($0) })
    // A uniform distribution 20 wide: the mean has a standard deviation of 20/sqrt(12 n), and a
    // quarter lies in each quarter.
    let mean = delays.reduce(0, +) / Double(delays.count)
    let deviation = 20 / (12 * Double(delays.count)).squareRoot()
    #expect(abs(mean - 40) < 4 * deviation)
    for quarter in 0..<4 {
      let low = 30 + 5 * Double(quarter)
      let count = delays.count { $0 >= low && $0 < low + 5 }
      #expect(isPlausible(count, of: 5_000, probability: 0.25))
    }
  }

  @Test func jitterNeverMakesATimeBeforeTheSending() {
    let spacing = Interval.milliseconds(50)
    let impairment = Impairment(delay: .milliseconds(5), jitter: .milliseconds(20))
    let delays = delays(run(impairment, spacing: spacing), spacing: spacing)
    #expect(delays.allSatisfy { (0...25).contains($0) })
    #expect(delays.contains(0))
  }

  @Test func jitterKeepsTheOrder() {
    let arrived = run(Impairment(delay: .milliseconds(40), jitter: .milliseconds(40)))
    #expect(arrived.map(\.number) == Array(0..<5_000))
  }

  @Test func orderIsKeptWithinAFlowOnly() {
    let impairment = Impairment(delay: .milliseconds(40), jitter: .milliseconds(40))
    var link = EmulatedLink<Int>(impairment: impairment, seed: 3)
    for number in 0..<200 {
      link.offer(number, size: 1, flow: UInt32(number % 2), at: EmulatedLinkTests.sent(number))
    }
    var arrived: [Int] = []
    while let number = link.nextDue(at: EmulatedLinkTests.sent(1_000)) { arrived.append(number) }
    #expect(arrived != arrived.sorted())
    #expect(arrived.filter { $0 % 2 == 0 } == Array(stride(from: 0, to: 200, by: 2)))
  }

  @Test func reorderedDatagramOvertakesWhatIsUnderWay() {
    let arrived = run(Impairment(delay: .milliseconds(40), reorder: 0.02))
    let early = arrived.filter { $0.time == EmulatedLinkTests.sent($0.number) }
    let inTurn = arrived.filter {
      $0.time == EmulatedLinkTests.sent($0.number) + .milliseconds(40)
    }
    #expect(isPlausible(early.count, of: 5_000, probability: 0.02))
    #expect(early.count + inTurn.count == 5_000)
    #expect(inTurn.map(\.number) == inTurn.map(\.number).sorted())
    let first = early[0].number
    let place = arrived.firstIndex { $0.number == first }
    #expect(place == first - 39 || first < 39)
  }

  @Test func reorderedDatagramIsHeldBackWhereThereIsNoDelay() {
    let arrived = run(Impairment(reorder: 0.02))
    let late = arrived.filter { $0.time > EmulatedLinkTests.sent($0.number) }
    #expect(!late.isEmpty)
    for datagram in late {
      #expect(
        datagram.time == EmulatedLinkTests.sent(datagram.number) + Impairment.reorderGap)
    }
    #expect(arrived.map(\.number) != Array(0..<5_000))
  }

  @Test func reorderingIsCounted() {
    var link = EmulatedLink<Int>(impairment: Impairment(reorder: 0.1), seed: 3)
    let arrived = EmulatedLinkTests.run(&link, count: 1_000)
    let late = arrived.filter { $0.time > EmulatedLinkTests.sent($0.number) }
    #expect(link.statistics.reordered == late.count)
  }

  @Test func duplicatesComeAfterTheirOriginalsAndAreCounted() {
    var link = EmulatedLink<Int>(
      impairment: Impairment(delay: .milliseconds(3), duplicate: 0.1), seed: 3)
    let arrived = EmulatedLinkTests.run(&link, count: 5_000)
    var first: [Int: Instant] = [:]
    var copies = 0
    for datagram in arrived {
      guard let original = first[datagram.number] else {
        first[datagram.number] = datagram.time
        continue
      }
      copies += 1
      #expect(datagram.time - original <= Impairment.duplicateGap)
    }
    #expect(first.count == 5_000)
    #expect(copies == link.statistics.duplicated)
    #expect(isPlausible(copies, of: 5_000, probability: 0.1))
  }

  @Test func duplicatesDelayNothing() {
    let delay = Impairment(delay: .milliseconds(3), jitter: .milliseconds(2))
    var withCopies = delay
    withCopies.duplicate = 0.3
    var seen: Set<Int> = []
    let originals = run(withCopies).filter { seen.insert($0.number).inserted }
    #expect(originals == run(delay))
  }

  @Test func sameSeedGivesTheSameRun() {
    let impairment = Impairment(
      loss: 0.1, delay: .milliseconds(30), jitter: .milliseconds(20), duplicate: 0.1, reorder: 0.1)
    #expect(run(impairment, seed: 3) == run(impairment, seed: 3))
    #expect(run(impairment, seed: 3) != run(impairment, seed: 4))
  }
}
