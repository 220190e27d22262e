public import Primitives

/// What a loop looks at without asking the kernel first: for those to whom the 40 microseconds of a
/// wake are too long, and a processor of their own is not too much.
struct BusyPolling {
  /// How long the loop spins after the last thing that happened.
  var duration = Interval.zero
  /// How to look at each descriptor; whether there was something.
  var pollers: [(descriptor: Int32, look: () -> Bool)] = []
  /// Rounds since the kernel was asked about all the other descriptors.
  var roundsUnasked = 0

  /// How many rounds, or turns without anything found, go by until the kernel is asked.
  static let askingInterval = 32

  var isOn: Bool { duration > .zero && !pollers.isEmpty }
}

extension EventLoop {
  /// How long the loop spins on the descriptors that can be polled, after the last thing that
  /// happened, before it sleeps. It takes a whole processor meanwhile. Zero, the default, for
  /// never.
  public var busyPolling: Interval {
    get { polling.duration }
    set { polling.duration = newValue }
  }

  /// Has the loop call `look` for a registered descriptor while it spins; it returns whether there
  /// was something. Until `descriptor` is unregistered.
  public func poll(_ descriptor: Int32, _ look: @escaping () -> Bool) {
    polling.pollers.append((descriptor: descriptor, look: look))
  }

  /// Spins. Returns whether the round has something to do; if not, the loop may sleep.
  func spin(until deadline: Instant?) -> Bool {
    if polling.roundsUnasked >= BusyPolling.askingInterval {
      polling.roundsUnasked = 0
      if askKernel() { return true }
    }
    let end = now + polling.duration
    var turns = 0
    while true {
      readClock()
      var hasFound = false
      for poller in polling.pollers where poller.look() { hasFound = true }
      if hasFound || handle.isPending {
        polling.roundsUnasked += 1
        return true
      }
      if let deadline, now >= deadline { return true }
      turns += 1
      if turns % BusyPolling.askingInterval == 0, askKernel() { return true }
      if now >= end { return false }
    }
  }
}
