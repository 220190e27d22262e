import SocketDriver

/// A value that is there once, later, for any number of tasks to wait for.
final class Promise<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var value: Value?
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Locked(State())

  /// Waits for it. A promise that is never kept is waited for without end, cancelled or not.
  var value: Value {
    get async {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state in
          if state.value == nil { state.waiting.append(continuation) }
          return state.value
        }
        if let value { continuation.resume(returning: value) }
      }
    }
  }

  /// Keeps the promise. Called once.
  func fulfil(_ value: Value) {
    let waiting = state.withLock { state in
      precondition(state.value == nil, "a promise is kept once")
      state.value = value
      let waiting = state.waiting
      state.waiting = []
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}
