import NetworkEmulator
import Primitives
import Testing

struct EmulatedLinkTests {
  /// What came out: the number of the datagram, and when.
  struct Arrived: Equatable {
    let number: Int
    let time: Instant
  }

  /// Offers `count` numbered datagrams, one each `spacing`, and takes everything out when due.
  static func run(
    _ link: inout EmulatedLink<Int>, count: Int, spacing: Interval = .milliseconds(1),
    flow: UInt32 = 0
  ) -> [Arrived] {
    var arrived: [Arrived] = []
    func takeDue(before next: Instant) {
      while let due = link.deadline, due < next {
        while let number = link.nextDue(at: due) {
          arrived.append(Arrived(number: number, time: due))
        }
      }
    }
    for number in 0..<count {
      let now = sent(number, spacing)
      takeDue(before: now)
      link.offer(number, size: 100, flow: flow, at: now)
    }
    takeDue(before: Instant(nanoseconds: .max))
    return arrived
  }

  static func sent(_ number: Int, _ spacing: Interval = .milliseconds(1)) -> Instant {
    .zero + spacing * Int64(number)
  }

  static func lostNumbers(
    _ impairment: Impairment, seed: UInt64 = 5, link number: UInt32 = 0, flow: UInt32 = 0
  ) -> [Int] {
    var link = EmulatedLink<Int>(impairment: impairment, seed: seed, link: number)
    let arrived = Set(run(&link, count: 1_000, flow: flow).map(\.number))
    return (0..<1_000).filter { !arrived.contains($0) }
  }

  @Test func linkWithoutImpairmentPassesEverythingAtOnce() {
    var link = EmulatedLink<Int>(impairment: .none, seed: 1)
    let arrived = Self.run(&link, count: 100)
    #expect(arrived == (0..<100).map { Arrived(number: $0, time: Self.sent($0)) })
    #expect(link.deadline == nil)
  }

  @Test func delayIsExactAndNothingComesEarly() {
    var link = EmulatedLink<Int>(impairment: Impairment(delay: .milliseconds(40)), seed: 1)
    link.offer(7, size: 1, at: .zero)
    #expect(link.deadline == .zero + .milliseconds(40))
    #expect(link.nextDue(at: .zero + .nanoseconds(39_999_999)) == nil)
    #expect(link.nextDue(at: .zero + .milliseconds(40)) == 7)
    #expect(link.nextDue(at: .zero + .milliseconds(40)) == nil)
  }

  @Test(arguments: [0.001, 0.01, 0.2, 0.4, 0.9], [1, 2, 3] as [UInt64])
  func lossIsAsFrequentAsItsProbability(probability: Double, seed: UInt64) {
    let count = 20_000
    var link = EmulatedLink<Int>(impairment: Impairment(loss: probability), seed: seed)
    _ = Self.run(&link, count: count)
    #expect(isPlausible(link.statistics.lost, of: count, probability: probability))
  }

  @Test func certainLossLosesAll() {
    #expect(Self.lostNumbers(Impairment(loss: 1)).count == 1_000)
  }

  @Test func lossesComeInRunsOfTheirTheoreticalLength() {
    let lost = Set(Self.lostNumbers(Impairment(loss: 0.4), seed: 8))
    let runs = lost.filter { !lost.contains($0 - 1) }.count
    // A run starts where a datagram is lost and the one before it was not.
    #expect(isPlausible(runs, of: 1_000, probability: 0.4 * 0.6))
  }

  @Test func otherImpairmentsDoNotMoveLosses() {
    let lost = Self.lostNumbers(Impairment(loss: 0.1))
    let all = Impairment(
      loss: 0.1, delay: .milliseconds(30), jitter: .milliseconds(20), duplicate: 0.1, reorder: 0.1)
    #expect(!lost.isEmpty)
    #expect(Self.lostNumbers(all) == lost)
  }

  @Test func higherLossKeepsTheLossesOfTheLower() {
    let few = Self.lostNumbers(Impairment(loss: 0.1))
    let many = Self.lostNumbers(Impairment(loss: 0.2))
    #expect(Set(many).isStrictSuperset(of: few))
  }

  @Test func seedsLinksAndFlowsHaveFatesOfTheirOwn() {
    let impairment = Impairment(loss: 0.1)
    let all = [
      Self.lostNumbers(impairment), Self.lostNumbers(impairment, seed: 6),
      Self.lostNumbers(impairment, link: 1), Self.lostNumbers(impairment, flow: 1),
    ]
    #expect(Set(all).count == all.count)
  }

  @Test func seedOfTheImpairmentGoesFirst() {
    let own = Impairment(loss: 0.1, seed: 9)
    #expect(Self.lostNumbers(own, seed: 1) == Self.lostNumbers(own, seed: 2))
    #expect(Self.lostNumbers(own, seed: 1) == Self.lostNumbers(Impairment(loss: 0.1), seed: 9))
  }

  @Test func otherFlowsDoNotMoveFates() {
    let impairment = Impairment(loss: 0.2, delay: .milliseconds(9), jitter: .milliseconds(9))
    var alone = EmulatedLink<Int>(impairment: impairment, seed: 4)
    var shared = EmulatedLink<Int>(impairment: impairment, seed: 4)
    for number in 0..<1_000 {
      alone.offer(number, size: 1, flow: 0, at: Self.sent(number))
      shared.offer(number, size: 1, flow: 0, at: Self.sent(number))
      for _ in 0..<(number % 3) { shared.offer(-1, size: 1, flow: 1, at: Self.sent(number)) }
    }
    let end = Self.sent(2_000)
    var left: [Int] = []
    while let number = alone.nextDue(at: end) { left.append(number) }
    var right: [Int] = []
    while let number = shared.nextDue(at: end) { if number >= 0 { right.append(number) } }
    #expect(left == right)
  }

  @Test func manyFlowsAreBounded() {
    var link = EmulatedLink<Int>(impairment: Impairment(loss: 0.5), seed: 4)
    for flow in 0..<10_000 { link.offer(flow, size: 1, flow: UInt32(flow), at: .zero) }
    // The flows beyond the limit share one count, and so differ in their fates all the same.
    #expect(isPlausible(link.statistics.lost, of: 10_000, probability: 0.5))
  }

  @Test func linksOfASettingDoNotShareFates() throws {
    let setting = try ImpairmentSetting(parsing: "both:loss=30%")
    var lost: [[Int]] = []
    for direction in ImpairmentSetting.Direction.allCases {
      var link = try #require(setting.link(direction, carrying: Int.self, seed: 5))
      let arrived = Set(Self.run(&link, count: 100).map(\.number))
      lost.append((0..<100).filter { !arrived.contains($0) })
    }
    #expect(lost[0] != lost[1])
  }

  @Test func settingHasNoLinkWhereNothingIsDone() throws {
    let setting = try ImpairmentSetting(parsing: "in:loss=30%")
    #expect(setting.link(.outgoing, carrying: Int.self, seed: 5) == nil)
    #expect(setting.link(.incoming, carrying: Int.self, seed: 5) != nil)
  }

  @Test func statisticsAddUp() {
    let impairment = Impairment(
      loss: 0.1, delay: .milliseconds(30), jitter: .milliseconds(20), duplicate: 0.1, reorder: 0.1)
    var link = EmulatedLink<Int>(impairment: impairment, seed: 1, capacity: 32)
    let arrived = Self.run(&link, count: 5_000)
    let statistics = link.statistics
    #expect(statistics.offered == 5_000)
    #expect(statistics.offeredBytes == 500_000)
    #expect(statistics.delivered == arrived.count)
    #expect(statistics.overflowed > 0)
    #expect(
      statistics.offered + statistics.duplicated
        == statistics.lost + statistics.overflowed + statistics.delivered)
  }

  @Test func whatExceedsTheCapacityIsDroppedAndCounted() {
    var link = EmulatedLink<Int>(
      impairment: Impairment(delay: .milliseconds(1)), seed: 1, capacity: 3)
    for number in 0..<5 { link.offer(number, size: 1, at: .zero) }
    #expect(link.count == 3)
    #expect(link.statistics.overflowed == 2)
    var arrived: [Int] = []
    while let number = link.nextDue(at: Self.sent(1)) { arrived.append(number) }
    #expect(arrived == [0, 1, 2])
  }

  @Test func changedImpairmentLeavesWhatIsUnderWay() {
    var link = EmulatedLink<Int>(impairment: Impairment(delay: .milliseconds(5)), seed: 1)
    link.offer(0, size: 1, flow: 0, at: .zero)
    link.impairment = Impairment(loss: 1)
    link.offer(1, size: 1, flow: 0, at: .zero)
    #expect(link.nextDue(at: Self.sent(4)) == nil)
    #expect(link.nextDue(at: Self.sent(5)) == 0)
    #expect(link.nextDue(at: Self.sent(5)) == nil)
  }
}
