import Glibc
public import Primitives

/// Text to a descriptor, gathered and written in few calls: for what a program says on standard
/// output and standard error.
///
/// A reader that has gone away is a result and not an error; for that SIGPIPE has to be ignored,
/// see `Signals.ignoreBrokenPipe`. It belongs to one thread at a time and does not own its
/// descriptor.
public final class FileOutput {
  /// What became of what was written.
  public enum Result: Hashable, Sendable {
    case written
    /// Nobody reads any more: the pipe is closed, or the terminal gone. What was written since is
    /// dropped.
    case closed
    /// It could not be written, and is dropped.
    case failed(SystemError)
  }

  /// How much is gathered before it is written without `flush`, in bytes.
  public static let bufferSize = 65_536
  /// How much a pipe takes without waiting where it takes anything (PIPE_BUF).
  private static let pieceSize = 4_096

  /// Whether `flush` waits for a slow reader. Where it does not, it keeps what is left for the next
  /// time, and nothing is written without it.
  public var waitsForReader = true {
    didSet { if !waitsForReader { openTerminal() } }
  }

  /// A terminal that is writable takes one byte at least, and perhaps no more without waiting. It
  /// is opened a second time, so that its own flag says not to wait, and not that of all who share
  /// the descriptor.
  private var terminal: Int32 = -1

  private let fileDescriptor: Int32
  private var buffer: [UInt8] = []
  /// What went wrong since the last `flush` that told of it.
  private var outcome = Result.written

  public init(fileDescriptor: Int32) {
    self.fileDescriptor = fileDescriptor
  }

  deinit { if terminal >= 0 { close(terminal) } }

  public static func standardOutput() -> FileOutput { FileOutput(fileDescriptor: 1) }

  public static func standardError() -> FileOutput { FileOutput(fileDescriptor: 2) }

  /// Adds a line and its end. Nothing of it need be visible before `flush`.
  public func append(line: String) {
    append(line)
    append("\n")
  }

  /// Adds text as it stands.
  public func append(_ text: String) {
    if outcome == .closed { return }
    buffer.append(contentsOf: text.utf8)
    if waitsForReader, buffer.count >= Self.bufferSize { writeBuffer() }
  }

  /// Whether something was added that the reader has not taken yet.
  public var isWaiting: Bool { !buffer.isEmpty }

  /// Writes what was added, all of it or as much as the reader takes at once, and says what became
  /// of it since the last call. After `closed` there is nothing but `closed`.
  @discardableResult
  public func flush() -> Result {
    if waitsForReader { writeBuffer() } else { writeReady() }
    let result = outcome
    if result != .closed { outcome = .written }
    return result
  }

  private func writeBuffer() {
    var start = 0
    while start < buffer.count {
      let count = unsafe buffer.withUnsafeBytes { bytes in
        unsafe write(
          fileDescriptor, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
      }
      if count >= 0 {
        start += count
      } else if !recover(from: errno) {
        break
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeReady() {
    var start = 0
    let descriptor = terminal >= 0 ? terminal : fileDescriptor
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while start < buffer.count, unsafe poll(&request, 1, 0) > 0 {
      let count = unsafe buffer.withUnsafeBytes { bytes in
        let end = min(start + Self.pieceSize, bytes.count)
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        return unsafe write(descriptor, piece.baseAddress, piece.count)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        break
      } else if !recover(from: errno) {
        start = buffer.count
      }
    }
    buffer.removeFirst(start)
  }

  private func openTerminal() {
    guard terminal < 0, Terminal.isTerminal(fileDescriptor) else { return }
    // Where it cannot be opened, a slow terminal is waited for.
    terminal = unsafe open(
      "/proc/self/fd/\(fileDescriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  }

  /// Whether writing may go on after an error.
  private func recover(from code: Int32) -> Bool {
    switch code {
    case EINTR:
      return true
    case EAGAIN:
      // Another program that shares the descriptor has made it non-blocking.
      var request = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
      unsafe poll(&request, 1, -1)
      return true
    case EPIPE:
      outcome = .closed
    case EIO where Terminal.isTerminal(fileDescriptor):
      outcome = .closed
    default:
      outcome = .failed(SystemError(code, in: "write"))
    }
    return false
  }
}
