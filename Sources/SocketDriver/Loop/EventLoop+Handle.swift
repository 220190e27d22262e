import CSockets
import Primitives
import Synchronization

extension EventLoop {
  /// What any thread may do with a loop: wake it, give it work, stop it, ask whether it is running
  /// here.
  ///
  /// It does not keep the loop alive, and may be used long after the loop has ended.
  public final class Handle: Sendable {
    private struct State {
      var submitted: [@Sendable () -> Void] = []
      var hasEnded = false
      var thread: UInt64?
    }

    let waker: Descriptor
    private let state = Locked(State())
    /// What the loop has to know before it sleeps, and others before they wake it.
    private let signals = Atomic<UInt32>(0)

    init() throws(SystemError) {
      waker = try Descriptor(patter_waker_open(), "eventfd")
    }

    /// Has the loop make another round, in which it looks at all that was written before this call.
    /// One that is not asleep does so without a call of the system's.
    public func wake() { raise(.pending) }

    /// Has `work` done on the loop's thread, in the order of submission. It must not block.
    ///
    /// Returns `false`, and will never do it, where the loop has ended. Where it returns `true` the
    /// work is done, unless the loop is thrown away without ever having run.
    @discardableResult
    public func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
      let isAccepted = state.withLock { state in
        if !state.hasEnded { state.submitted.append(work) }
        return !state.hasEnded
      }
      if isAccepted { wake() }
      return isAccepted
    }

    /// Ends the loop after its present round, or as soon as it runs.
    public func stop() { raise([.pending, .stopping]) }

    /// Whether the caller is on the thread that runs the loop.
    public var isCurrent: Bool {
      let thread = patter_thread_identifier()
      return state.withLock { $0.thread == thread }
    }

    private func raise(_ raised: Signals) {
      let (before, _) = signals.bitwiseOr(raised.rawValue, ordering: .sequentiallyConsistent)
      let old = Signals(rawValue: before)
      if old.contains(.asleep), !old.contains(.pending) { patter_waker_wake(waker.number) }
    }
  }

  private struct Signals: OptionSet {
    let rawValue: UInt32
    /// The loop waits, or is about to: only the waker reaches it.
    static let asleep = Signals(rawValue: 1)
    /// There is something to look at, and the loop will before it sleeps again.
    static let pending = Signals(rawValue: 2)
    static let stopping = Signals(rawValue: 4)
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
    EventLoop.Signals(rawValue: signals.load(ordering: .acquiring)).contains(.stopping)
  }

  /// Whether there is something to look at.
  var isPending: Bool {
    EventLoop.Signals(rawValue: signals.load(ordering: .relaxed)).contains(.pending)
  }

  /// Says that the loop will wait. Returns whether it may: `false` where there is something to look
  /// at, and then nothing was said.
  func fallAsleep() -> Bool {
    let (before, _) = signals.bitwiseOr(
      EventLoop.Signals.asleep.rawValue, ordering: .sequentiallyConsistent)
    guard EventLoop.Signals(rawValue: before).contains(.pending) else { return true }
    wakeUp()
    return false
  }

  func wakeUp() {
    signals.bitwiseAnd(~EventLoop.Signals.asleep.rawValue, ordering: .sequentiallyConsistent)
  }

  /// The work that has been submitted; from here on the loop will look again.
  func takeSubmitted() -> [@Sendable () -> Void] {
    guard isPending else { return [] }
    signals.bitwiseAnd(~EventLoop.Signals.pending.rawValue, ordering: .sequentiallyConsistent)
    return state.withLock { state in
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
