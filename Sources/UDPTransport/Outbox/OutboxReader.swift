public import ChatTransport
public import Primitives
import SocketDriver
import Synchronization

/// The loop thread's side of an outbox: gives what is in there to a transport. It belongs to the
/// application above the transport, which calls `drain` whenever it is run.
public struct OutboxReader {
  /// What one peer had no room for, in order.
  private struct Held {
    let peer: PeerID
    var bytes: [UInt8] = []
    var start = 0
    var batches = Queue<OutboxBatch>()
  }

  private let outbox: Outbox
  private var bytes: [UInt8] = []
  private var batches: [OutboxBatch] = []
  /// One for each peer that has no room; mostly none.
  private var held: [Held] = []

  public init(_ outbox: Outbox) {
    self.outbox = outbox
  }

  /// Sends what waits, first what was held back.
  public mutating func drain<Transport: SynchronousTransport & ~Copyable>(
    into transport: inout Transport, at now: Instant
  ) {
    let isFilled = outbox.isFilled.load(ordering: .acquiring)
    guard isFilled || !held.isEmpty else { return }
    let before = held.map(\.peer)
    var dropped: UInt64 = 0
    for index in held.indices {
      Self.retry(&held[index], with: &transport, &dropped, at: now)
    }
    held.removeAll { $0.batches.isEmpty }
    if isFilled {
      take()
      sendTaken(with: &transport, &dropped, at: now)
    }
    let blocked = held.map(\.peer)
    guard isFilled || dropped > 0 || blocked != before else { return }
    outbox.state.withLock { [dropped] state in
      state.blocked = blocked
      state.dropped &+= dropped
    }
    outbox.resumeWaiting()
  }

  /// Exchanges what is filled for what is empty.
  private mutating func take() {
    outbox.isFilled.store(false, ordering: .releasing)
    bytes.removeAll(keepingCapacity: true)
    batches.removeAll(keepingCapacity: true)
    (bytes, batches) = outbox.state.withLock { [bytes, batches] state in
      let taken = (state.bytes, state.batches)
      state.bytes = bytes
      state.batches = batches
      return taken
    }
  }

  private mutating func sendTaken<Transport: SynchronousTransport & ~Copyable>(
    with transport: inout Transport, _ dropped: inout UInt64, at now: Instant
  ) {
    var offset = 0
    for batch in batches {
      var batch = batch
      let end = offset + batch.byteCount
      if !held.contains(where: { $0.peer == batch.peer }) {
        offset += Self.send(
          &batch, bytes.span.extracting(offset..<end), with: &transport, &dropped, at: now)
      }
      if batch.count > 0 { hold(batch, bytes[offset..<end]) }
      offset = end
    }
  }

  private mutating func hold(_ batch: OutboxBatch, _ bytes: ArraySlice<UInt8>) {
    let index = held.firstIndex { $0.peer == batch.peer } ?? held.count
    if index == held.count { held.append(Held(peer: batch.peer)) }
    held[index].bytes += bytes
    held[index].batches.append(batch)
  }

  private static func retry<Transport: SynchronousTransport & ~Copyable>(
    _ held: inout Held, with transport: inout Transport, _ dropped: inout UInt64, at now: Instant
  ) {
    while var batch = held.batches.first {
      let range = held.start..<(held.start + batch.byteCount)
      held.start += send(
        &batch, held.bytes.span.extracting(range), with: &transport, &dropped, at: now)
      guard batch.count == 0 else {
        held.batches[0] = batch
        return
      }
      _ = held.batches.popFirst()
    }
  }

  /// Sends as much as the transport takes, and leaves the rest in `batch`. Returns how many bytes
  /// are done with: what can never be sent is dropped.
  private static func send<Transport: SynchronousTransport & ~Copyable>(
    _ batch: inout OutboxBatch, _ run: Span<UInt8>, with transport: inout Transport,
    _ dropped: inout UInt64, at now: Instant
  ) -> Int {
    var offset = 0
    while batch.count > 0 {
      let rest = run.extracting(offset..<run.count)
      do throws(SendError) {
        let count = try transport.send(
          run: rest, count: batch.count, to: .peer(batch.peer), batch.options, at: now)
        let byteCount =
          count == batch.count
          ? rest.count
          : RunCutting.prefix(of: rest, from: 0, maximumCount: count, maximumBytes: .max).byteCount
        offset += byteCount
        batch.count -= count
        batch.byteCount -= byteCount
      } catch {
        if case .wouldBlock = error { return offset }
        dropped &+= UInt64(batch.count)
        batch.count = 0
        batch.byteCount = 0
        return run.count
      }
    }
    return offset
  }
}
