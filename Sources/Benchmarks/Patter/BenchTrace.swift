import Host
import Primitives
import SocketDriver
import UDPTransport

/// The trace of one end of a measurement.
final class BenchTrace {
  let recorder: TraceRecorder
  private let outcome: Outcome

  /// What became of the file.
  private final class Outcome {
    var failure: SystemError?
  }

  init(_ path: String, role: String, on loop: EventLoop) throws(SystemError) {
    let file = try RecordFile(path: path)
    let outcome = Outcome()
    self.outcome = outcome
    recorder = TraceRecorder(
      title: "patter bench, \(role)", referenceTime: WallClock.millisecondsSince1970,
      start: loop.now
    ) { bytes in
      do throws(SystemError) { try file.write(bytes) } catch { outcome.failure = error }
      return outcome.failure == nil
    }
  }

  /// Writes the end; fails where anything could not be written.
  func end(at now: Instant) throws(SystemError) {
    recorder.end(at: now)
    if let failure = outcome.failure { throw failure }
  }
}

extension PatterSettings {
  func trace(of role: String, on loop: EventLoop) throws(SystemError) -> BenchTrace? {
    guard let traceFile else { return nil }
    return try BenchTrace(traceFile, role: role, on: loop)
  }
}
