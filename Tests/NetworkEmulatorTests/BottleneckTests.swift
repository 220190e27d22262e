import NetworkEmulator
import Primitives
import Testing

/// A link with a rate and a queue.
struct BottleneckTests {
  typealias Arrived = EmulatedLinkTests.Arrived

  /// 1 Mbit/s: 125 bytes take a millisecond.
  private func link(
    delay: Interval = .zero, loss: Double = 0, queue: Interval? = nil, seed: UInt64 = 1
  ) -> EmulatedLink<Int> {
    EmulatedLink(
      impairment: Impairment(loss: loss, delay: delay, rate: 1_000_000, queue: queue), seed: seed)
  }

  private func arrivals(_ link: inout EmulatedLink<Int>) -> [Arrived] {
    var arrived: [Arrived] = []
    while let due = link.deadline {
      while let number = link.nextDue(at: due) {
        arrived.append(Arrived(number: number, time: due))
      }
    }
    return arrived
  }

  @Test func datagramsLeaveOneAfterTheOther() {
    var link = link(delay: .milliseconds(20))
    for number in 0..<3 { link.offer(number, size: 125, flow: UInt32(number), at: .zero) }
    link.offer(3, size: 250, at: .zero + .milliseconds(10))
    let wanted = [21, 22, 23, 32].map { Instant.zero + .milliseconds($0) }
    #expect(arrivals(&link) == (0..<4).map { Arrived(number: $0, time: wanted[$0]) })
  }

  @Test func carriesItsRateAndNoMore() {
    var link = link(queue: .milliseconds(50))
    for number in 0..<10_000 {
      link.offer(number, size: 125, at: .zero + .microseconds(500) * Int64(number))
    }
    let arrived = arrivals(&link)
    // Five seconds, and what waited at their end.
    #expect((5_050...5_052).contains(arrived.count), "\(arrived.count)")
    #expect(link.statistics.queueDropped == 10_000 - arrived.count)
    #expect(link.statistics.lost == 0 && link.statistics.overflowed == 0)
  }

  @Test func whatWouldWaitForTooLongIsDropped() {
    var link = link(queue: .milliseconds(3))
    for number in 0..<6 { link.offer(number, size: 125, at: .zero) }
    // The fourth waits for three milliseconds, which it may.
    #expect(link.statistics.queueDropped == 2)
    link.offer(6, size: 125, at: .zero + .milliseconds(1))
    #expect(arrivals(&link).map(\.number) == [0, 1, 2, 3, 6])
  }

  @Test func queueIsATenthOfASecondOrThirtyTwoDatagrams() {
    var quick = EmulatedLink<Int>(impairment: Impairment(rate: 100_000_000), seed: 1)
    var slow = EmulatedLink<Int>(impairment: Impairment(rate: 1_000_000), seed: 1)
    for number in 0..<2_000 {
      quick.offer(number, size: 1_250, at: .zero)
      slow.offer(number, size: 1_500, at: .zero)
    }
    #expect(2_000 - quick.statistics.queueDropped == 1_001)
    #expect(2_000 - slow.statistics.queueDropped == 33)
  }

  @Test func whatIsLostTookItsTimeAndMovesNoFates() {
    var lossy = link(loss: 0.3, queue: .seconds(100))
    for number in 0..<1_000 { lossy.offer(number, size: 125, at: .zero) }
    let arrived = arrivals(&lossy)
    let all = Set(arrived.map(\.number))
    let lost = (0..<1_000).filter { !all.contains($0) }
    #expect(lost == EmulatedLinkTests.lostNumbers(Impairment(loss: 0.3), seed: 1))
    #expect(arrived.allSatisfy { $0.time == .zero + .milliseconds(Int64($0.number + 1)) })
  }

  @Test func statisticsAddUp() {
    var link = EmulatedLink<Int>(
      impairment: Impairment(
        loss: 0.1, delay: .milliseconds(30), rate: 1_000_000, queue: .milliseconds(20),
        duplicate: 0.1), seed: 1, capacity: 32)
    for number in 0..<2_000 {
      link.offer(number, size: 125, at: .zero + .microseconds(700) * Int64(number))
    }
    _ = arrivals(&link)
    let statistics = link.statistics
    #expect(statistics.queueDropped > 0)
    #expect(
      statistics.offered + statistics.duplicated
        == statistics.lost + statistics.queueDropped + statistics.overflowed
        + statistics.delivered)
  }
}
