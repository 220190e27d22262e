import Host
import Primitives
import SocketDriver
import UDPTransport

/// What `--trace` writes. A trace that can no longer be written is no reason to stop talking: it is
/// told at once, and by the exit code in the end.
final class ChatTrace {
  let recorder: TraceRecorder
  /// Whether something could not be written.
  var hasFailed: Bool { outcome.hasFailed }

  private let outcome: Outcome

  private final class Outcome {
    var hasFailed = false
  }

  init(path: String, start: Instant, output: Output) throws(CommandFailure) {
    let file: RecordFile
    do throws(SystemError) {
      file = try RecordFile(path: path)
    } catch {
      throw .usage(.unusableValue(name: "--trace", value: path, reason: error.reason))
    }
    let outcome = Outcome()
    self.outcome = outcome
    recorder = TraceRecorder(
      title: "patter chat", referenceTime: WallClock.millisecondsSince1970, start: start
    ) { bytes in
      do throws(SystemError) {
        try file.write(bytes)
        return true
      } catch {
        outcome.hasFailed = true
        output.write([.error("patter chat: the trace ends here: \(error.reason)")])
        return false
      }
    }
  }
}
