import CSockets
import Primitives

extension EventLoop {
  /// What any thread may do with a loop: give it work, stop it, ask whether it is running here.
  ///
  /// It does not keep the loop alive, and may be used long after the loop has ended.
  public final class Handle: Sendable {
    private struct State {
      var submitted: [@Sendable () -> Void] = []
      var isStopping = false
      var hasEnded = false
      var thread: UInt64?
    }

    let waker: Descriptor
    private let state = Locked(State())

    init() throws(SystemError) {
      waker = try Descriptor(patter_waker_open(), "eventfd")
    }

    /// Has `work` done on the loop's thread, in the order of submission. It must not block.
    ///
    /// Returns `false`, and will never do it, where the loop has ended. Where it returns `true` the
    /// work is done, unless the loop is thrown away without ever having run.
    @discardableResult
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
      let (isAccepted, isFirst) = state.withLock { state in
        if state.hasEnded { return (false, false) }
        state.submitted.append(work)
        return (true, state.submitted.count == 1)
      }
      if isFirst { patter_waker_wake(waker.number) }
      return isAccepted
    }

    /// Ends the loop after its present round, or as soon as it runs.
    public func stop() {
      state.withLock { $0.isStopping = true }
      patter_waker_wake(waker.number)
    }

    /// Whether the caller is on the thread that runs the loop.
    public var isCurrent: Bool {
      let thread = patter_thread_identifier()
      return state.withLock { $0.thread == thread }
    }
  }
}

// MARK: - The loop's side

extension EventLoop.Handle {
  func begin() {
    let thread = patter_thread_identifier()
    state.withLock { $0.thread = thread }
  }

  /// Another thread may get the number of this one later.
  func leave() {
    state.withLock { $0.thread = nil }
  }

  var isStopping: Bool {
    state.withLock { $0.isStopping }
  }

  func takeSubmitted() -> [@Sendable () -> Void] {
    state.withLock { state in
      let submitted = state.submitted
      state.submitted = []
      return submitted
    }
  }

  /// Accepts nothing more, and returns what is left to be done.
  @discardableResult
  func end() -> [@Sendable () -> Void] {
    state.withLock { state in
      state.hasEnded = true
      let submitted = state.submitted
      state.submitted = []
      return submitted
    }
  }
}
