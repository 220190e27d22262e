import ChatTransport
import DatagramPeer
import Primitives
import Testing

/// What an endpoint tells of itself.
struct TraceTests {
  @Test func whatOneSideSentTheOtherReceived() {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    for number in 0..<40 {
      pair.say("line \(number)", number % 2 == 0 ? .ordered : .unreliable)
      pair.run(for: .milliseconds(3))
    }
    pair.run(for: .seconds(1))
    let caller = pair.callerEvents().map(\.fact)
    let called = pair.calledEvents().map(\.fact)
    let sent = caller.compactMap(\.sentPacket?.number)
    #expect(sent == called.compactMap(\.receivedPacket?.number))
    #expect(sent.count > 30)
    #expect(
      called.compactMap(\.sentPacket?.number) == caller.compactMap(\.receivedPacket?.number))
    let framesMatch =
      caller.compactMap(\.sentPacket?.frames) == called.compactMap(\.receivedPacket?.frames)
    #expect(framesMatch)
  }

  @Test func theStartIsToldFirstAndBothEndsHaveOneName() {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    let (caller, called) = (pair.callerEvents(), pair.calledEvents())
    guard case .started(_, isDialler: true)? = caller.first?.fact,
      case .started(_, isDialler: false)? = called.first?.fact
    else {
      Issue.record("not the start: \(String(describing: (caller.first, called.first)))")
      return
    }
    #expect(caller.first?.connection == called.first?.connection)
    #expect(caller.allSatisfy { $0.connection == caller[0].connection })
  }

  @Test func timeDoesNotGoBack() {
    var pair = TracedPair()
    for number in 0..<20 {
      pair.say("line \(number)")
      pair.run(for: .milliseconds(7))
    }
    let times = pair.callerEvents().map(\.time)
    #expect(times == times.sorted())
  }

  @Test func lostPacketsAreToldWithTheirCause() {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    let first = pair.callerEvents().compactMap(\.fact.sentPacket).count
    // The handshake took two datagrams, which are no data packets.
    pair.lost = [first + 2]
    for number in 0..<10 {
      pair.say("line \(number)")
      pair.run(for: .milliseconds(10))
    }
    pair.run(for: .seconds(1))
    let facts = pair.callerEvents().map(\.fact)
    let losses = facts.compactMap { fact -> UInt64? in
      if case .lost(let number, _, _) = fact { number } else { nil }
    }
    #expect(losses == [facts.compactMap(\.sentPacket).first?.number])
  }

  @Test func droppedDatagramsAreTold() {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    _ = pair.calledEvents()
    pair.forge([1, 2, 3])
    #expect(
      pair.calledEvents().map(\.fact) == [.dropped(size: 3, reason: .unknownKind)])
  }

  @Test func theEndIsTold() {
    var pair = TracedPair()
    pair.run(for: .milliseconds(100))
    pair.close()
    pair.run(for: .seconds(3))
    for (facts, reason) in [
      (pair.callerEvents().map(\.fact), LeaveReason.closedByUs),
      (pair.calledEvents().map(\.fact), LeaveReason.closedByThem),
    ] {
      #expect(facts.contains(.left(reason)))
      #expect(facts.count { if case .started = $0 { true } else { false } } == 1)
      guard case .stateChanged(_, to: .ended)? = facts.last else {
        Issue.record("the last word was \(String(describing: facts.last))")
        continue
      }
    }
  }

  @Test func whatFindsNoPlaceIsCounted() {
    var pair = TracedPair(limit: 40)
    pair.run(for: .milliseconds(100))
    for number in 0..<200 {
      pair.say("line \(number)")
      pair.run(for: .milliseconds(3))
    }
    let facts = pair.callerEvents().map(\.fact)
    #expect(facts.count <= 41)
    guard case .leftOut(let count)? = facts.last else {
      Issue.record("the last word was \(String(describing: facts.last))")
      return
    }
    #expect(count > 200)
    pair.say("once more")
    pair.run(for: .milliseconds(100))
    let isOnAgain = pair.callerEvents().contains { $0.fact.sentPacket != nil }
    #expect(isOnAgain)
  }

  @Test func nothingIsToldWhereNobodyAsked() {
    var pair = TracedPair(isTracing: false)
    pair.say("a line")
    pair.run(for: .seconds(1))
    #expect(pair.callerEvents().isEmpty && pair.calledEvents().isEmpty)
  }

  @Test func tracingChangesNothing() {
    var figures: [TransportStatistics] = []
    for isTracing in [false, true] {
      var pair = TracedPair(isTracing: isTracing)
      pair.lost = [5, 9, 10, 22]
      for number in 0..<60 {
        pair.say("line \(number)")
        pair.run(for: .milliseconds(4))
      }
      pair.run(for: .seconds(1))
      figures.append(pair.caller.statistics)
    }
    #expect(figures[0] == figures[1])
  }
}
