import ChatTransport
import Primitives

/// Events that wait to be pulled by the owner of an endpoint. Whoever has something to tell looks
/// at `isOn` first: that is all that tracing costs while it is off.
struct TraceBuffer {
  let isOn: Bool
  private let limit: Int
  private var events = Queue<TraceEvent>()
  private var weight = 0
  /// Events that found no place since the last one that did, and when the last of them was.
  private var leftOut: (count: UInt64, time: Instant) = (0, .zero)
  /// What was told last, of each connection that is there.
  private var memories: [PeerID: TraceMemory] = [:]

  /// - Parameter limit: how many events, with their frames and ranges, may wait.
  init(isOn: Bool = false, limit: Int = 0) {
    self.isOn = isOn
    self.limit = limit
  }

  mutating func append(_ fact: TraceEvent.Fact, of connection: TraceName?, at time: Instant) {
    let event = TraceEvent(time: time, connection: connection, fact: fact)
    guard weight + event.weight <= limit else {
      leftOut = (leftOut.count + 1, time)
      return
    }
    tellLeftOut()
    weight += event.weight
    events.append(event)
  }

  mutating func popFirst() -> TraceEvent? {
    if events.isEmpty { tellLeftOut() }
    guard let event = events.popFirst() else { return nil }
    weight -= event.weight
    return event
  }

  /// Takes a place beyond the limit where there is none.
  private mutating func tellLeftOut() {
    guard leftOut.count > 0 else { return }
    weight += 1
    events.append(
      TraceEvent(time: leftOut.time, connection: nil, fact: .leftOut(leftOut.count)))
    leftOut.count = 0
  }

  subscript(peer: PeerID) -> TraceMemory? {
    get { memories[peer] }
    set { memories[peer] = newValue }
  }
}

/// What was told last of a connection, so that only changes are told.
struct TraceMemory {
  let name: TraceName
  var state: TraceState?
  var path: Path
  var datagramSize: Int
  var metrics: TraceMetrics?
  var congestion: TraceCongestion?
  var redundancy = TraceRedundancy(rides: 0, copies: 0, spacing: .zero)
  var retransmittedBytes: UInt64 = 0
  var redundantBytes: UInt64 = 0
}
