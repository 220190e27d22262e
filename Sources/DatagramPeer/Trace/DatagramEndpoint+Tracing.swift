import ChatTransport
import Primitives

/// A machine that tells what happens inside it, where it was told to.
public protocol TracedMachine: ~Copyable {
  /// The next thing to write down, or `nil` where there is nothing for now. What is not pulled in
  /// time is left out, and its number told.
  mutating func nextTraceEvent() -> TraceEvent?
}

extension DatagramEndpoint: TracedMachine {
  public mutating func nextTraceEvent() -> TraceEvent? { workspace.trace.popFirst() }

  /// Tells of a datagram that was dropped, where one was since `before`.
  mutating func traceDrop(
    since before: DropCounters, _ datagram: Span<UInt8>, at now: Instant
  ) {
    guard let reason = drops.reason(since: before) else { return }
    var offset = 0
    var name: TraceName?
    if let header = PacketHeader(parsing: datagram, at: &offset),
      let slot = slotOfID[header.destination]
    {
      name = connections[slot].traceName
    }
    workspace.trace.append(.dropped(size: datagram.count, reason: reason), of: name, at: now)
  }
}
