import DatagramPeer
import Primitives
import SocketDriver
import Workloads

/// Forged attempts to connect, each from an address of its own, at one endpoint without sockets:
/// what they cost, and whether anything is left of them.
public struct ForgeryProgram: Hashable, Sendable {
  public var attempts: Int

  /// Resident memory may change by so much, in bytes, whatever the number of attempts: a byte kept
  /// of each of a million would be twice as much.
  public static let tolerance = 512 << 10
  /// Attempts before the memory is looked at for the first time.
  private static let warmUp = 20_000
  /// Between two attempts.
  private static let interval = Interval.microseconds(10)

  public init(attempts: Int) {
    precondition(attempts > 0, "something is tried")
    self.attempts = attempts
  }

  /// Makes all attempts. Returns the line that tells of them.
  ///
  /// - Throws: `BenchmarkError.failed` where memory has grown, where a stranger got more than he
  ///   sent, or where anything is left when it is over.
  public func run() throws(BenchmarkError) -> String {
    var forger = Forger()
    for number in 0..<Self.warmUp { forger.attempt(number, after: Self.interval) }
    let before = ProcessMemory.resident
    let start = SystemClock.now()
    for number in 0..<attempts { forger.attempt(Self.warmUp + number, after: Self.interval) }
    let time = SystemClock.now() - start
    let grown = ProcessMemory.resident - before
    let perAttempt = Double(time.nanoseconds) / Double(attempts)
    var line = "{\"t\":\"forged\",\"attempts\":\(attempts)"
    line += ",\"ns_attempt\":\(fixedPoint(perAttempt, places: 0)),\"opened\":\(forger.opened)"
    line += ",\"bytes_in\":\(forger.bytesIn),\"bytes_out\":\(forger.bytesOut)"
    line += ",\"grown_bytes\":\(grown),\"rss_kb\":\(ProcessMemory.resident / 1_024)}"
    guard grown <= Self.tolerance else { throw .failed("forged", "memory has grown: \(line)") }
    guard forger.bytesOut <= forger.bytesIn else {
      throw .failed("forged", "more was sent to strangers than came from them: \(line)")
    }
    guard forger.isBlankAtTheEnd() else { throw .failed("forged", "something is left: \(line)") }
    return line
  }
}
