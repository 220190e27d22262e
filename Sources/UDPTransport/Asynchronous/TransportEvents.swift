public import ChatTransport
import SocketDriver

/// The events of a transport, in order, for one reader.
///
/// They are handed over in batches under one lock; a reader that waits is woken once for all that
/// came in one wake of the loop.
public final class TransportEvents: AsyncSequence, Sendable {
  public typealias Element = TransportEvent
  public typealias Failure = Never

  private struct State {
    var waiting: [TransportEvent] = []
    var hasEnded = false
    var reader: CheckedContinuation<Void, Never>?
  }

  /// Events that wait to be read; while there are this many, the transport takes in no more.
  static let limit = 8_192

  private let state = Locked(State())

  init() {}

  /// Whether the reader keeps up.
  var hasRoom: Bool { state.withLock { $0.waiting.count < Self.limit } }

  func append(_ events: [TransportEvent]) {
    guard !events.isEmpty else { return }
    let reader = state.withLock { state in
      state.waiting += events
      return state.reader.take()
    }
    reader?.resume()
  }

  func end() {
    let reader = state.withLock { state in
      state.hasEnded = true
      return state.reader.take()
    }
    reader?.resume()
  }

  /// All events that wait; waits for one where there is none. Empty once the transport has ended,
  /// and where the waiting task is cancelled.
  fileprivate func nextBatch() async -> [TransportEvent] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          precondition(state.reader == nil, "a transport's events are for one reader")
          guard state.waiting.isEmpty, !state.hasEnded, !Task.isCancelled else { return true }
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume()
    }
    return state.withLock { state in
      let events = state.waiting
      state.waiting = []
      return events
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let source: TransportEvents
    private var batch: ArraySlice<TransportEvent> = []

    init(source: TransportEvents) {
      self.source = source
    }

    public mutating func next() async -> TransportEvent? {
      if batch.isEmpty { batch = await source.nextBatch()[...] }
      return batch.popFirst()
    }
  }
}
