public import ChatTransport
import Primitives
public import SocketDriver
import Synchronization

/// Messages on their way from any thread to the loop's: the fast way to send from outside.
///
/// A call copies a whole run of messages under one lock. The loop thread takes all that is there
/// once a wake, and is only woken where it would not look by itself. What one peer has no room for
/// stays here for that peer alone, which then takes no more until it has; the others go on.
public final class Outbox: Sendable {
  struct State {
    var bytes: [UInt8] = []
    var batches: [OutboxBatch] = []
    /// Peers for whom something was taken from here that their machine had no room for.
    var blocked: [PeerID] = []
    var hasEnded = false
    /// Messages whose peer was gone when their turn came.
    var dropped: UInt64 = 0
    var waiting: [CheckedContinuation<Void, Never>] = []

    /// Whether who waits may try again: half of the outbox is free, which is room for a message of
    /// any size.
    func hasRoom(for peer: PeerID, limit: Int) -> Bool {
      hasEnded || bytes.count <= limit / 2 && !blocked.contains(peer)
    }
  }

  /// How many bytes wait for the loop thread at most, and for each peer that has no room; a message
  /// that is larger than half of it may come on top.
  public let limit: Int

  let state = Locked(State())
  /// Whether there is something to take, so that the loop need not enter the lock to see it.
  let isFilled = Atomic<Bool>(false)
  private let loop: EventLoop.Handle

  public init(limit: Int = 1 << 20, loop: EventLoop.Handle) {
    precondition(limit > 0, "an outbox without room")
    self.limit = limit
    self.loop = loop
  }

  /// Messages that could not be sent any more when their turn came, mostly since their peer had
  /// left.
  public var dropped: UInt64 { state.withLock { $0.dropped } }

  /// Takes messages for `peer`, from the first on, as many as there is room for, out of `run`.
  /// Returns how many those were: none where it has to wait (`waitForRoom`). May be called from any
  /// thread.
  ///
  /// - Parameter capabilities: What the transport can carry; what is beyond that is an error, and
  ///   then nothing was taken.
  public func send(
    _ run: inout MessageRun, to peer: PeerID, _ options: SendOptions,
    within capabilities: TransportCapabilities
  ) throws(SendError) -> Int {
    _ = try capabilities.check(payloadSize: run.largest, options)
    let count = run.count
    let taken = run.withBytes { take($0, count: count, for: peer, options) }
    guard let taken else { throw .closed }
    run.removeFirst(taken.count, byteCount: taken.byteCount)
    return taken.count
  }

  /// The same for messages that are in the form of a run in the caller's own memory. Returns how
  /// many were taken, from the first on, and how many bytes they have.
  public func send(
    run: Span<UInt8>, count: Int, to peer: PeerID, _ options: SendOptions,
    within capabilities: TransportCapabilities
  ) throws(SendError) -> (count: Int, byteCount: Int) {
    _ = try capabilities.check(
      payloadSize: RunCutting.largestPayload(of: run, count: count), options)
    guard let taken = take(run, count: count, for: peer, options) else { throw .closed }
    return taken
  }

  private func take(
    _ run: Span<UInt8>, count: Int, for peer: PeerID, _ options: SendOptions
  ) -> (count: Int, byteCount: Int)? {
    let limit = limit
    let taken: (count: Int, byteCount: Int)? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      guard !state.blocked.contains(peer) else { return (0, 0) }
      return state.take(run, count: count, for: peer, options, limit: limit)
    }
    if let taken, taken.count > 0 {
      isFilled.store(true, ordering: .releasing)
      loop.wake()
    }
    return taken
  }
}

extension Outbox.State {
  /// Copies what there is room for. Where half of the outbox is free that is one message at least,
  /// however large.
  fileprivate mutating func take(
    _ run: Span<UInt8>, count: Int, for peer: PeerID, _ options: SendOptions, limit: Int
  ) -> (count: Int, byteCount: Int) {
    let room = limit - bytes.count
    var part = (count: count, byteCount: run.count)
    if part.byteCount > room {
      part = RunCutting.prefix(of: run, from: 0, maximumCount: count, maximumBytes: room)
      if part.count == 0, bytes.count <= limit / 2 {
        part = RunCutting.prefix(of: run, from: 0, maximumCount: 1, maximumBytes: .max)
      }
    }
    guard part.count > 0 else { return part }
    let taken = run.extracting(0..<part.byteCount)
    unsafe taken.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    note(taken, part.count, for: peer, options)
    return part
  }

  /// Writes the headers of what was copied.
  private mutating func note(
    _ run: Span<UInt8>, _ count: Int, for peer: PeerID, _ options: SendOptions
  ) {
    if let last = batches.indices.last, batches[last].peer == peer,
      batches[last].options == options,
      batches[last].byteCount + run.count <= OutboxBatch.limit
    {
      batches[last].count += count
      batches[last].byteCount += run.count
      return
    }
    var (offset, left) = (0, count)
    while left > 0 {
      var part = (count: left, byteCount: run.count - offset)
      if part.byteCount > OutboxBatch.limit {
        part = RunCutting.prefix(
          of: run, from: offset, maximumCount: left, maximumBytes: OutboxBatch.limit)
        if part.count == 0 {
          part = RunCutting.prefix(
            of: run, from: offset, maximumCount: 1, maximumBytes: .max)
        }
      }
      batches.append(
        OutboxBatch(
          peer: peer, options: options, count: part.count, byteCount: part.byteCount))
      offset += part.byteCount
      left -= part.count
    }
  }
}

// MARK: - Waiting

extension Outbox {
  /// Waits until there is room for messages to `peer`, or the transport has ended. Returns at once
  /// where the task is cancelled.
  public func waitForRoom(for peer: PeerID) async {
    while !Task.isCancelled {
      let limit = limit
      if state.withLock({ $0.hasRoom(for: peer, limit: limit) }) { return }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard !Task.isCancelled, !state.hasRoom(for: peer, limit: limit) else { return true }
            state.waiting.append(continuation)
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        // Whoever else waits looks again, and goes on waiting.
        resumeWaiting()
      }
    }
  }

  /// The same for a thread that may be blocked. Not for tasks, whose threads are few.
  public func blockUntilRoom(for peer: PeerID) {
    let limit = limit
    state.wait { $0.hasRoom(for: peer, limit: limit) }
  }

  /// Nothing more is taken, and nobody waits any more.
  func end() {
    state.withLock { $0.hasEnded = true }
    resumeWaiting()
  }

  func resumeWaiting() {
    state.notifyAll()
    let waiting = state.withLock { state in
      let waiting = state.waiting
      state.waiting = []
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
