import CSockets
import Glibc
public import Primitives

/// One thread that sleeps until a descriptor is ready, a deadline has come, or another thread has
/// something for it to do. With nothing to do it sleeps for ever.
///
/// The rules of threads: a loop is built and fed by one thread, handed over once, and from then on
/// touched by the thread in `run` alone. It is not `Sendable`, so the compiler holds them. What
/// other threads may do is in `handle`, which is; what they submit reaches the loop's own state
/// through a `LoopBound`.
///
/// A wake goes in this order: the handlers of all ready descriptors, then what was submitted, then
/// `tick`. So a timer never fires before what has already arrived was looked at.
@safe public final class EventLoop {
  /// Told what the descriptor is ready for. It may register, change and unregister any descriptor,
  /// its own among them. What it leaves unread is told again in the next round.
  public typealias Handler = (Readiness) -> Void

  private struct Registration {
    /// Tells an event of an earlier owner of the same number from one of this owner.
    let generation: UInt32
    let handler: Handler
    var interest: Readiness = []
    /// A regular file cannot be waited for, since it is always ready.
    var isAlwaysReady = false
  }

  /// How many events one system call fetches.
  private static let eventLimit = 64
  /// No descriptor is negative, so no registration has this token.
  private static let wakeToken = UInt64.max

  /// What other threads may use.
  public let handle: Handle

  /// When this wake began, then when its `tick` did: one reading of the clock for all who need one.
  public private(set) var now = SystemClock.now()

  private let poller: Descriptor
  private var farTimer: FarTimer
  private let events: UnsafeMutablePointer<patter_event>
  private var registrations: [Int32: Registration] = [:]
  /// Those that are always ready, in the order in which they were registered.
  private var alwaysReady: [Int32] = []
  var polling = BusyPolling()
  private var lastGeneration: UInt32 = 0
  private var isRunning = false

  public init() throws(SystemError) {
    let poller = try Descriptor(patter_poller_open(), "epoll_create1")
    let handle = try Handle()
    _ = try SystemError.check(
      patter_poller_add_waker(poller.number, handle.waker.number, Self.wakeToken), "epoll_ctl")
    farTimer = try FarTimer(poller: poller, token: Self.wakeToken)
    self.poller = poller
    self.handle = handle
    unsafe events = .allocate(capacity: Self.eventLimit)
  }

  deinit {
    handle.end()
    unsafe events.deallocate()
  }
}

// MARK: - Descriptors

extension EventLoop {
  /// Has `handler` called whenever `descriptor` is ready for something in `interest`.
  ///
  /// The descriptor stays its owner's, who unregisters it before closing it. One that cannot be
  /// waited for, a regular file, counts as always ready: its handler is called in every round until
  /// it asks for nothing more.
  public func register(
    _ descriptor: Int32, for interest: Readiness, _ handler: @escaping Handler
  ) throws(SystemError) {
    precondition(registrations[descriptor] == nil, "descriptor \(descriptor) is registered already")
    lastGeneration &+= 1
    registrations[descriptor] = Registration(generation: lastGeneration, handler: handler)
    do throws(SystemError) {
      try setInterest(interest, of: descriptor)
    } catch {
      registrations[descriptor] = nil
      throw error
    }
  }

  /// Changes what a registered descriptor is waited for; nothing at all is fine, and then not even
  /// its end is told.
  public func setInterest(_ interest: Readiness, of descriptor: Int32) throws(SystemError) {
    guard var registration = registrations[descriptor] else {
      preconditionFailure("descriptor \(descriptor) is not registered")
    }
    guard registration.interest != interest else { return }
    if !registration.isAlwaysReady {
      let result = control(descriptor, registration, interest)
      if result == -EPERM {
        registration.isAlwaysReady = true
        alwaysReady.append(descriptor)
      } else {
        _ = try SystemError.check(result, "epoll_ctl")
      }
    }
    registration.interest = interest
    registrations[descriptor] = registration
  }

  /// Forgets `descriptor` and its handler, at once: no event is told any more, not even one that
  /// was already fetched. Without effect on one that is not registered.
  public func unregister(_ descriptor: Int32) {
    guard let registration = registrations.removeValue(forKey: descriptor) else { return }
    polling.pollers.removeAll { $0.descriptor == descriptor }
    if registration.isAlwaysReady {
      alwaysReady.removeAll { $0 == descriptor }
    } else if !registration.interest.isEmpty {
      _ = patter_poller_remove(poller.number, descriptor)
    }
  }

  private func control(
    _ descriptor: Int32, _ registration: Registration, _ interest: Readiness
  ) -> Int32 {
    // A descriptor that nobody asks about is taken out altogether: the kernel would go on telling
    // that it has hung up, and the loop would spin.
    if interest.isEmpty { return patter_poller_remove(poller.number, descriptor) }
    let token = UInt64(registration.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    if registration.interest.isEmpty {
      return patter_poller_add(poller.number, descriptor, interest.rawValue, token)
    }
    return patter_poller_modify(poller.number, descriptor, interest.rawValue, token)
  }
}

// MARK: - Running

extension EventLoop {
  /// Runs on the calling thread until `handle.stop()` has been called and the round in which that
  /// was seen is over. What was submitted until then is done. A loop runs once.
  ///
  /// - Parameter tick: Called at the start and at the end of every wake with the time it is then;
  ///   returns when to be called again at the latest, or `nil` for not before something happens.
  public func run(tick: (Instant) -> Instant? = { _ in nil }) {
    precondition(!isRunning, "the loop runs already")
    isRunning = true
    handle.begin()
    // The kernel may delay a timer by 50 microseconds, to save wakes that we do not make.
    patter_set_timer_slack(1)
    while true {
      for work in handle.takeSubmitted() { work() }
      readClock()
      let deadline = tick(now)
      if handle.isStopping { break }
      awaitSomething(until: deadline)
    }
    for work in handle.end() { work() }
    handle.leave()
    // Handlers often hold what holds the loop.
    registrations.removeAll()
    polling.pollers.removeAll()
    alwaysReady.removeAll()
  }

  func readClock() {
    now = SystemClock.now()
  }

  /// Looks at what is ready without waiting; returns whether anything was.
  func askKernel() -> Bool {
    let count = wait(0)
    dispatch(count)
    return count > 0
  }

  /// Waits, and calls the handlers of what has become ready.
  private func awaitSomething(until deadline: Instant?) {
    if alwaysReady.contains(where: { registrations[$0]?.interest.isEmpty == false }) {
      return dispatch(wait(0))
    }
    if polling.isOn, spin(until: deadline) { return }
    guard handle.fallAsleep() else { return dispatch(wait(0)) }
    var timeout: Int64 = -1
    if let deadline {
      let time = SystemClock.now()
      if !farTimer.covers(deadline, at: time) {
        timeout = max(0, (deadline - time).nanoseconds)
      }
    }
    let count = wait(timeout)
    handle.wakeUp()
    dispatch(count)
  }

  /// Sleeps for at most so many nanoseconds, for ever where that is negative, and returns how many
  /// events were fetched.
  private func wait(_ timeout: Int64) -> Int {
    let count = unsafe patter_poller_wait(
      poller.number, events, Int32(Self.eventLimit), timeout)
    precondition(count >= 0, "waiting for events failed: errno \(-count)")
    readClock()
    return Int(count)
  }

  private func dispatch(_ count: Int) {
    for index in 0..<count {
      let event = unsafe events[index]
      if event.token == Self.wakeToken { continue }
      // An earlier handler of this round may have unregistered it, lost interest, or registered a
      // new descriptor that got the same number.
      let descriptor = Int32(truncatingIfNeeded: event.token)
      guard let registration = registrations[descriptor],
        UInt64(registration.generation) == event.token >> 32, !registration.interest.isEmpty
      else { continue }
      let readiness = Readiness(rawValue: event.readiness)
        .intersection(registration.interest.union(.closed))
      if !readiness.isEmpty { registration.handler(readiness) }
    }
    for descriptor in alwaysReady {
      guard let registration = registrations[descriptor], !registration.interest.isEmpty else {
        continue
      }
      registration.handler(registration.interest)
    }
  }
}
