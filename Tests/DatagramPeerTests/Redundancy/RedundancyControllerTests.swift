import Primitives
import Testing

@testable import DatagramPeer

struct RedundancyControllerTests {
  private let roundTrip = Interval.milliseconds(50)

  /// A controller that has sent and heard of packets at a pace, of which every `lossPeriod`th was
  /// lost; its next plan.
  private func plan(
    _ policy: Redundancy, copies: EarlyCopies = .none, lossPeriod: Int64? = nil,
    interval: Interval = .microseconds(16_667), freshBytes: Int = 71, isLimited: Bool = false,
    packets: Int64 = 600
  ) -> RedundancyController.Plan {
    var controller = RedundancyController(policy, copies: copies)
    var plan = RedundancyController.Plan.nothing
    for number in 1...packets {
      let now = Instant.zero + interval * number
      plan = controller.plan(
        freshBytes: freshBytes, room: 1_187, isLimited: isLimited, roundTrip: roundTrip, at: now)
      controller.note(
        sentAt: now, isLost: lossPeriod.map { number.isMultiple(of: $0) } ?? false)
    }
    return plan
  }

  @Test("A chosen policy is kept to, with or without loss", arguments: [nil, 10] as [Int64?])
  func chosen(lossPeriod: Int64?) {
    #expect(plan(.none, lossPeriod: lossPeriod).sends == 0)
    #expect(plan(.upTo(3), lossPeriod: lossPeriod).sends == 3)
    #expect(plan(.all, lossPeriod: lossPeriod).sends == .max)
    #expect(plan(.upTo(3), lossPeriod: lossPeriod).byteBudget == 1_187 - 71)
    #expect(plan(.upTo(-1), lossPeriod: lossPeriod).sends == 0)
  }

  @Test("Early copies that were asked for are always made, and take the place of one ride")
  func copiesAsked() {
    let copies = EarlyCopies(count: 2, spacing: .milliseconds(3))
    #expect(plan(.none, copies: copies).copies == copies)
    let two = plan(.upTo(2), copies: copies)
    #expect(two.copies == copies && two.sends == 1)
    #expect(plan(.adaptive(byteBudget: 800), copies: copies).copies == copies)
  }

  @Test(
    "Rides by the loss there is: one in so many",
    arguments: [(nil, 0), (50, 1), (20, 2), (10, 2), (5, 4), (3, Int.max)] as [(Int64?, Int)])
  func adaptive(lossPeriod: Int64?, sends: Int) {
    let plan = plan(.adaptive(byteBudget: 800), lossPeriod: lossPeriod)
    #expect(plan.sends == sends)
    #expect(plan.byteBudget == (sends == 0 ? 0 : 800))
    #expect(plan.copies == .none)
  }

  @Test("Bulk carries no rides and no copies: large packets, and what waits for its window")
  func bulk() {
    let copies = EarlyCopies(count: 2, spacing: .milliseconds(3))
    for policy in [Redundancy.upTo(2), .all, .adaptive(byteBudget: 800)] {
      #expect(plan(policy, copies: copies, lossPeriod: 10, freshBytes: 1_100) == .nothing)
      #expect(plan(policy, copies: copies, lossPeriod: 10, isLimited: true) == .nothing)
    }
  }

  @Test("Where the budget does not hold the messages of a round trip, the newest ride")
  func tightBudget() {
    #expect(plan(.adaptive(byteBudget: 150), lossPeriod: 5).sends == 2)
    #expect(plan(.adaptive(byteBudget: 800), lossPeriod: 5, freshBytes: 400).sends == 1)
    #expect(plan(.adaptive(byteBudget: -1), lossPeriod: 5).byteBudget == 0)
  }

  @Test("Where no further message is to be expected soon, copies are the means")
  func sparse() {
    let clear = plan(.adaptive(byteBudget: 800), interval: .milliseconds(500))
    #expect(clear == .nothing)
    let lossy = plan(.adaptive(byteBudget: 800), lossPeriod: 10, interval: .milliseconds(500))
    #expect(lossy.copies == EarlyCopies(count: 2, spacing: .milliseconds(3)))
  }

  @Test("Copies are spaced by more than losses last, within reason")
  func spacing() {
    for (burst, spacing) in [(Int64(10), Int64(15)), (60, 30)] {
      var controller = RedundancyController(.adaptive(byteBudget: 800))
      var plan = RedundancyController.Plan.nothing
      for number in Int64(1)...200 {
        let now = Instant.zero + .milliseconds(500) * number
        plan = controller.plan(
          freshBytes: 71, room: 1_187, isLimited: false, roundTrip: roundTrip, at: now)
        // A message and its two copies, which are lost together every eighth time.
        for copy in Int64(0)..<3 {
          controller.note(
            sentAt: now + .milliseconds(burst) * copy / 2, isLost: number.isMultiple(of: 8))
        }
      }
      #expect(plan.copies.count == 2)
      #expect(abs(plan.copies.spacing.milliseconds - Double(spacing)) < 0.1)
    }
  }
}
