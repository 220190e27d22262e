public import ChatTransport
import Primitives
import SocketDriver

/// The events of a transport, in order, each once, for one reader at a time.
///
/// They are handed over in batches under one lock; a reader that waits is woken once for all that
/// came in one wake of the loop. A reader that stops, or whose task is cancelled, leaves the rest
/// to the next one.
///
/// While `limit` events or `byteLimit` bytes wait the transport takes in no more: messages are not
/// acknowledged then, and their senders have to wait.
public final class TransportEvents: AsyncSequence, Sendable {
  public typealias Element = TransportEvent
  public typealias Failure = Never

  /// How many events wait before the transport takes in no more. What it had taken in by then comes
  /// on top: see `DatagramConfiguration.maximumWaitingEvents`.
  public static let limit = 16_384
  /// How many bytes of messages wait, likewise.
  public static let byteLimit = 2 << 20

  private struct State {
    var waiting = EventBatch()
    /// Whether the transport holds events back.
    var isHeldUp = false
    var hasEnded = false
    var reader: CheckedContinuation<Void, Never>?

    /// Whether the transport is to go on, after something was read.
    mutating func relieve() -> Bool {
      guard isHeldUp, waiting.count <= limit / 2, waiting.byteCount <= byteLimit / 2
      else { return false }
      isHeldUp = false
      return true
    }
  }

  private let state = Locked(State())
  private let goOn: @Sendable () -> Void

  /// - Parameter goOn: Called, from any thread, when the reader has caught up after `admitsMore`
  ///   said no.
  init(goOn: @escaping @Sendable () -> Void) {
    self.goOn = goOn
  }

  public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let source: TransportEvents

    init(source: TransportEvents) {
      self.source = source
    }

    /// The next event; `nil` once the transport has ended, and where the task is cancelled.
    public mutating func next() async -> TransportEvent? {
      guard await source.wait() else { return nil }
      return source.take { $0.nextEvent() }
    }
  }

  /// All events that wait, and the next where there is none; for readers to whom one by one is too
  /// slow. Empty once the transport has ended, and where the task is cancelled.
  public func nextBatch() async -> [TransportEvent] {
    guard await wait() else { return [] }
    var batch = take { waiting in
      var batch = EventBatch()
      swap(&batch, &waiting)
      return batch
    }
    var events: [TransportEvent] = []
    events.reserveCapacity(batch.count)
    while let event = batch.nextEvent() { events.append(event) }
    return events
  }

  /// Exchanges `batch`, which was read, for all events that wait, and waits for the next where
  /// there is none: the fast way to read many small messages. Returns false, with an empty batch,
  /// once the transport has ended, and where the task is cancelled.
  public func read(into batch: inout EventBatch) async -> Bool {
    precondition(batch.isEmpty, "a batch is read before it is used again")
    guard await wait() else { return false }
    let isRelieved = state.withLock { state in
      swap(&batch, &state.waiting)
      return state.relieve()
    }
    if isRelieved { goOn() }
    return !batch.isEmpty
  }

  private func take<Result: Sendable>(
    _ body: @Sendable (inout EventBatch) -> Result
  ) -> Result {
    let (result, isRelieved) = state.withLock { state in
      let result = body(&state.waiting)
      return (result, state.relieve())
    }
    if isRelieved { goOn() }
    return result
  }

  /// Waits until there is an event or the end. Returns false where the task is cancelled.
  private func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          precondition(state.reader == nil, "a transport's events are for one reader at a time")
          guard state.waiting.isEmpty, !state.hasEnded, !Task.isCancelled else { return true }
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume()
    }
    return !Task.isCancelled
  }
}

// MARK: - The loop's side

extension TransportEvents {
  /// Whether the reader keeps up. Where not, `goOn` will be called.
  func admitsMore() -> Bool {
    state.withLock { state in
      state.isHeldUp =
        state.waiting.count >= Self.limit || state.waiting.byteCount >= Self.byteLimit
      return !state.isHeldUp
    }
  }

  /// How many more events may wait.
  var room: Int { state.withLock { Swift.max(0, Self.limit - $0.waiting.count) } }

  /// Hands over all of `batch`, which is empty then.
  func append(_ batch: inout EventBatch) {
    guard !batch.isEmpty else { return }
    let reader = state.withLock { state in
      state.waiting.append(&batch)
      return state.reader.take()
    }
    reader?.resume()
  }

  /// Nothing more will come.
  func end() {
    let reader = state.withLock { state in
      state.hasEnded = true
      return state.reader.take()
    }
    reader?.resume()
  }
}
