import NetworkEmulator
import Primitives
import Testing

/// Losses that come in bursts.
struct BurstTests {
  static let impairment = Impairment(loss: 0.1, burst: .milliseconds(50))
  private static let spacing = Interval.milliseconds(1)

  /// Which of `count` datagrams, one each millisecond, are lost.
  private func fates(
    _ impairment: Impairment = impairment, seed: UInt64 = 5, link: UInt32 = 0, flow: UInt32 = 0,
    count: Int
  ) -> [Bool] {
    var link = EmulatedLink<Int>(impairment: impairment, seed: seed, link: link)
    var lost = [Bool](repeating: true, count: count)
    let arrived = EmulatedLinkTests.run(&link, count: count, spacing: Self.spacing, flow: flow)
    for datagram in arrived { lost[datagram.number] = false }
    return lost
  }

  /// The lengths of the runs of `wanted`, without those at the ends.
  private func runs(of wanted: Bool, in fates: [Bool]) -> [Int] {
    var lengths: [Int] = []
    var length = 0
    for fate in fates {
      if fate == wanted {
        length += 1
      } else if length > 0 {
        lengths.append(length)
        length = 0
      }
    }
    return Array(lengths.dropFirst())
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func lastForTheirTimeOnAverage(seed: UInt64) {
    // Some 1,200 bursts: their lengths have a standard error of 3 %, as those of the times between.
    let fates = fates(seed: seed, count: 600_000)
    for (wanted, mean) in [(true, 50.0), (false, 450)] {
      let lengths = runs(of: wanted, in: fates)
      let average = Double(lengths.reduce(0, +)) / Double(lengths.count)
      // A burst that falls between two datagrams is not seen, so those that are last longer by
      // their mean distance of one.
      #expect(abs(average - mean) < mean * 0.12 + 1, "\(wanted): \(average)")
      // Exponentially distributed: e^-1 are longer than the mean, e^-3 longer than three times it.
      let long = lengths.count { Double($0) > mean }
      let longest = lengths.count { Double($0) > 3 * mean }
      #expect(isPlausible(long, of: lengths.count, probability: 0.368), "\(wanted): \(long)")
      #expect(isPlausible(longest, of: lengths.count, probability: 0.0498), "\(wanted)")
    }
    let share = Double(fates.count { $0 }) / Double(fates.count)
    #expect(abs(share - 0.1) < 0.016, "\(share)")
  }

  @Test func dependOnTheTimeAndNotOnWhatIsSent() {
    let dense = fates(count: 100_000)
    var link = EmulatedLink<Int>(impairment: Self.impairment, seed: 5)
    var sparse: [Int: Bool] = [:]
    // The first datagram of a link is where its time begins.
    for number in [0, 7, 50_000, 50_001, 99_990, 99_999] {
      let now = EmulatedLinkTests.sent(number, Self.spacing)
      link.offer(number, size: 1, flow: UInt32(number % 3), at: now)
      sparse[number] = link.nextDue(at: now) == nil
    }
    for (number, isLost) in sparse.sorted(by: { $0.key < $1.key }) {
      #expect(isLost == dense[number], "\(number)")
    }
    #expect(dense.contains(true))
  }

  @Test func meetAllFlowsOfALinkAlike() {
    let isSame = fates(flow: 3, count: 20_000) == fates(flow: 4, count: 20_000)
    #expect(isSame)
  }

  @Test func differBetweenLinksAndSeeds() {
    let one = fates(count: 20_000)
    let isRepeated = one == fates(count: 20_000)
    let ofLink = one != fates(link: 1, count: 20_000)
    let ofSeed = one != fates(seed: 6, count: 20_000)
    #expect(isRepeated && ofLink && ofSeed)
  }

  @Test func aClockThatGoesBackFindsTheSameBursts() {
    var link = EmulatedLink<Int>(impairment: Self.impairment, seed: 5)
    func lost() -> [Bool] {
      stride(from: 0, to: 60_000, by: 10).map { number in
        let now = EmulatedLinkTests.sent(number, Self.spacing)
        let before = link.statistics.lost
        link.offer(number, size: 1, at: now)
        return link.statistics.lost > before
      }
    }
    let (first, second) = (lost(), lost())
    let isSame = first == second
    #expect(isSame && first.contains(true))
  }

  @Test func shortestBurstsAfterALongTimeAreFoundAtOnce() {
    let impairment = Impairment(loss: 0.5, burst: .nanoseconds(1))
    var link = EmulatedLink<Int>(impairment: impairment, seed: 5)
    link.offer(0, size: 1, at: .zero)
    for day in 1...1_000 {
      link.offer(day, size: 1, at: .zero + .seconds(86_400) * Int64(day))
    }
    #expect(isPlausible(link.statistics.lost, of: 1_001, probability: 0.5))
  }

  @Test func certainLossAndNoneAreWhatTheyAreWithout() {
    let none = Impairment(loss: 0, burst: .milliseconds(50))
    #expect(!fates(none, count: 1_000).contains(true))
    let all = Impairment(loss: 1, burst: .milliseconds(50))
    #expect(!fates(all, count: 1_000).contains(false))
  }
}
