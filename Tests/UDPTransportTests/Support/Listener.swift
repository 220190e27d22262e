import Testing

/// Reads a sequence of events to its end and keeps them, for a test to wait for.
actor Listener<Event: Sendable> {
  private(set) var events: [Event] = []
  private(set) var hasEnded = false
  private var waiting: [Int: Waiting] = [:]
  private var lastNumber = 0

  private struct Waiting {
    /// `nil` for the end of the sequence.
    let condition: (@Sendable ([Event]) -> Bool)?
    let continuation: CheckedContinuation<Bool, Never>
  }

  init<Events: AsyncSequence & Sendable>(_ source: Events)
  where Events.Element == Event, Events.Failure == Never {
    Task {
      for await event in source { await note(event) }
      await end()
    }
  }

  /// Waits until the condition holds for the events so far, or records that it never did.
  func wait(
    for what: String, location: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable ([Event]) -> Bool
  ) async {
    if condition(events) { return }
    await suspend(for: what, location, until: condition)
  }

  /// Waits for the end of the sequence, or records that it did not come.
  func waitForEnd(location: SourceLocation = #_sourceLocation) async {
    if hasEnded { return }
    await suspend(for: "the end", location, until: nil)
  }

  private func suspend(
    for what: String, _ location: SourceLocation, until condition: (@Sendable ([Event]) -> Bool)?
  ) async {
    lastNumber += 1
    let number = lastNumber
    let limit = Task {
      try? await Task.sleep(for: patience)
      settle(number, false)
    }
    let hasCome = await withCheckedContinuation { continuation in
      if hasEnded { return continuation.resume(returning: false) }
      waiting[number] = Waiting(condition: condition, continuation: continuation)
    }
    limit.cancel()
    guard !hasCome else { return }
    let last = events.suffix(5)
    Issue.record(
      "\(what) did not come; \(events.count) events, the last: \(last)", sourceLocation: location)
  }

  private func note(_ event: Event) {
    events.append(event)
    for (number, waiter) in waiting where waiter.condition?(events) == true {
      settle(number, true)
    }
  }

  private func end() {
    hasEnded = true
    for (number, waiter) in waiting { settle(number, waiter.condition == nil) }
  }

  private func settle(_ number: Int, _ hasCome: Bool) {
    waiting.removeValue(forKey: number)?.continuation.resume(returning: hasCome)
  }
}
