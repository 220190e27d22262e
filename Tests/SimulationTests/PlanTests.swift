import ChatTransport
import Primitives
import Testing

@testable import Simulation

/// What seeds decide: enough of everything, or runs that pass prove little.
struct PlanTests {
  private static let plans = (1...300).map {
    SimulationPlan(seed: $0, capabilities: SimulationRun.capabilities)
  }

  @Test(arguments: FaultKind.allCases)
  func `every fault occurs, and is left out`(kind: FaultKind) {
    let count = Self.plans.count { $0.faults.contains(kind) }
    #expect((30...200).contains(count))
  }

  @Test func `some runs are without faults, and some have more than half of them`() {
    #expect(Self.plans.count { $0.faults.isEmpty } > 10)
    #expect(Self.plans.count { $0.faults.count > FaultKind.allCases.count / 2 } > 10)
    #expect(Self.plans.count { $0.isMild } > 20)
  }

  @Test func `there are messages of every kind and size, on all channels`() {
    let sendings = Self.plans.flatMap(\.actions).compactMap { timed in
      if case .send(let sending) = timed.action { sending } else { nil }
    }
    for delivery in Delivery.allCases {
      #expect(sendings.count { $0.options.delivery == delivery } > 1_000)
    }
    #expect(Set(sendings.map(\.options.channel)).count == 256)
    let largest = SimulationRun.capabilities.maximumMessageSize
    #expect(sendings.contains { $0.size == 0 })
    #expect(sendings.contains { $0.size > largest / 2 })
    #expect(sendings.allSatisfy { $0.size <= largest })
    #expect(sendings.contains { $0.count > 100 })
    #expect(sendings.contains { $0.peerDraw == nil })
  }

  @Test func `a transport that can do more is asked for more`() {
    var capabilities = SimulationRun.capabilities
    capabilities.maximumMessageSize = 16 << 20
    capabilities.supportsMaximumAge = true
    let sendings = (UInt64(1)...100).flatMap { seed in
      SimulationPlan(seed: seed, capabilities: capabilities).actions
    }.compactMap { timed in
      if case .send(let sending) = timed.action { sending } else { nil }
    }
    #expect(sendings.contains { $0.size > 1 << 20 })
    #expect(sendings.contains { $0.size > 10_000 && !$0.options.delivery.isReliable })
    #expect(sendings.allSatisfy { $0.size <= 65_536 || $0.options.delivery.isReliable })
    #expect(sendings.contains { $0.options.maximumAge != nil })
    #expect(sendings.allSatisfy { $0.options.maximumAge == nil || $0.options.delivery.isReliable })
  }

  @Test func `things are done only while they may go wrong`() {
    for plan in Self.plans {
      let times = plan.actions.map(\.time)
      let isInTime = times.allSatisfy { $0 >= plan.beginning && $0 < plan.end }
      let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
      #expect(isInTime && isSorted, "seed \(plan.seed)")
    }
  }
}
