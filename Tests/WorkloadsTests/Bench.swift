import ChatTransport
import Primitives

/// Two applications over an in-memory transport, in virtual time.
struct Bench<First: TransportApplication, Second: TransportApplication> {
  var first: First
  var second: Second
  let network = InMemoryNetwork()
  var now = Instant.zero
  private var left: InMemoryTransport
  private var right: InMemoryTransport

  init(_ first: First, _ second: Second, limits: InMemoryQueueLimits = InMemoryQueueLimits()) {
    self.first = first
    self.second = second
    left = network.join(limits: limits)
    right = network.join(limits: limits)
  }

  /// Lets time pass until both are over, a step for each deadline or `step` where there is none.
  mutating func run(
    step: Interval = .milliseconds(1), limit: Int = 200_000,
    until isOver: (First, Second) -> Bool
  ) {
    for _ in 0..<limit {
      left.advance(to: now)
      first.run(over: &left, at: now)
      right.advance(to: now)
      second.run(over: &right, at: now)
      if isOver(first, second) { return }
      let deadline = Instant.earlier(first.deadline, second.deadline) ?? now + step
      // A flood never waits by itself.
      now = max(now + .microseconds(500), min(deadline, now + step))
    }
  }

  /// Does something with the network in between.
  func control(_ body: (InMemoryNetwork, InMemoryTransport, InMemoryTransport) -> Void) {
    body(network, left, right)
  }
}
