public import Primitives

extension VirtualNetwork where Machine: ~Copyable {
  /// When the next event happens: a datagram arrives or a machine's deadline comes. Never before
  /// `now`; `nil` where nothing is going to happen any more.
  public var nextEvent: Instant? {
    var next = fabric.underWay.deadline ?? .never
    for deadline in deadlines where deadline < next { next = deadline }
    return next == .never ? nil : max(next, now)
  }

  /// Moves time on to the next event and lets it happen: one datagram is delivered or one machine
  /// advanced, and what the machine has to send is pulled. At the same instant datagrams go before
  /// deadlines, datagrams in the order in which they were sent, and hosts in the order of their
  /// numbers.
  ///
  /// - Returns: `false`, with nothing changed, where nothing is going to happen any more.
  @discardableResult
  public func step() -> Bool {
    guard let next = nextEvent else { return false }
    perform(next)
    return true
  }

  /// Lets everything happen up to and including `end`, and leaves time there.
  ///
  /// - Parameter limit: the largest number of steps; time stays where they were used up.
  /// - Returns: the number of steps.
  @discardableResult
  public func run(until end: Instant, limit: Int = .max) -> Int {
    var steps = 0
    while let next = nextEvent, next <= end {
      if steps == limit { return steps }
      perform(next)
      steps += 1
    }
    now = max(now, end)
    return steps
  }

  /// Lets everything happen in the coming `interval`, and leaves time at its end.
  @discardableResult
  public func run(for interval: Interval) -> Int {
    run(until: now + interval)
  }

  /// Steps until `condition` holds, asked before the first step and after each one; time stays
  /// there, or at `end`.
  ///
  /// - Returns: whether the condition held in time.
  public func run(until end: Instant, stoppingWhen condition: () throws -> Bool) rethrows -> Bool {
    while true {
      if try condition() { return true }
      guard let next = nextEvent, next <= end else { break }
      perform(next)
    }
    now = max(now, end)
    return false
  }

  private func perform(_ next: Instant) {
    if next > now {
      now = next
      stepsAtThisInstant = 0
    }
    stepsAtThisInstant += 1
    if let due = fabric.underWay.deadline, due <= now {
      deliverFirst()
    } else {
      advanceFirstDue()
    }
  }

  private func deliverFirst() {
    guard let delivery = fabric.takeDue(at: now) else { return }
    if stepsAtThisInstant > maximumStepsAtOneInstant {
      reportLivelock("delivered \(delivery.bytes.count) bytes to host \(delivery.receiver)")
    }
    guard let box = runners[delivery.receiver].box else { return }
    box.machine.receive(delivery.bytes.span, arrival: delivery.arrival, at: now)
    settle(HostID(delivery.receiver))
  }

  private func advanceFirstDue() {
    guard let number = deadlines.firstIndex(where: { $0 <= now }),
      let box = runners[number].box
    else { return }
    if stepsAtThisInstant > maximumStepsAtOneInstant {
      reportLivelock("advanced host \(number) to its deadline \(deadlines[number].nanoseconds) ns")
    }
    box.machine.advance(to: now)
    settle(HostID(number))
  }

  /// Gives up. Loud in release builds too, which drop the messages of preconditions.
  private func reportLivelock(_ last: String) -> Never {
    fatalError(
      "seed \(seed), \(now.nanoseconds) ns: \(maximumStepsAtOneInstant) steps without time "
        + "moving on; the last \(last)")
  }
}
