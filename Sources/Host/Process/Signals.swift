import CSockets
import Glibc
public import Primitives

/// Signals that ask a program to end, as something to read from a descriptor instead of an
/// interruption at any moment.
public final class Signals {
  public enum Signal: Int32, Hashable, Sendable, CaseIterable {
    /// The terminal's line was dropped.
    case hangUp = 1
    /// Ctrl-C.
    case interrupt = 2
    case terminate = 15
  }

  /// The descriptor, to register it with a loop; readable when a signal has come.
  public let fileDescriptor: Int32
  private let signals: [Signal]

  /// From now on the signals are told here and do nothing else. Call it on the first thread before
  /// there are others: threads that run already would still be ended by them. A signal that the
  /// process was started to ignore, as by `nohup`, stays ignored.
  public init(_ signals: [Signal] = Signal.allCases) throws(SystemError) {
    let numbers = signals.map(\.rawValue)
    let result = unsafe patter_signals_open(numbers, Int32(numbers.count))
    if result < 0 { throw SystemError(-result, in: "signalfd") }
    fileDescriptor = result
    self.signals = signals
  }

  /// From now on the signals do again what they do to any program: they end it, those too that have
  /// come and were not read. For the time after the loop, when nobody reads them any more.
  public func letThrough() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  deinit {
    close(fileDescriptor)
  }

  /// The next signal that has come, or `nil` where none has.
  public func next() throws(SystemError) -> Signal? {
    let result = patter_signals_next(fileDescriptor)
    if result < 0 { throw SystemError(-result, in: "read") }
    return Signal(rawValue: result)
  }

  /// Makes writing to a pipe that nobody reads an error of that call, where it would end the
  /// program otherwise. Call it at the start.
  public static func ignoreBrokenPipe() {
    signal(SIGPIPE, SIG_IGN)
  }
}
