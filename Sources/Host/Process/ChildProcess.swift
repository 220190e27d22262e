import CSockets
import Glibc
public import Primitives

/// A running child. It is killed where this process dies, and where the last reference to it goes
/// before it has ended.
public final class ChildProcess {
  /// How it ended; `nil` as long as it runs.
  public private(set) var exitCode: Int32?
  /// What it wrote so far, where that is taken in.
  public private(set) var output: [UInt8] = []

  private let process: Int32
  private var pipe: Int32 = -1

  public init(_ command: ChildCommand) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if command.capturesOutput {
      let result = unsafe patter_pipe(&ends)
      if result < 0 { throw SystemError(-result, in: "pipe2") }
    }
    var words: [UnsafeMutablePointer<CChar>?] = unsafe command.words.map { unsafe strdup($0) }
    unsafe words.append(nil)
    let result = unsafe words.withUnsafeBufferPointer { words in
      var request = unsafe patter_spawn_request(
        arguments: words.baseAddress, output: ends[1], shared: command.shared ?? -1,
        network: command.network ?? -1)
      return unsafe patter_spawn(&request)
    }
    for index in unsafe words.indices { unsafe free(words[index]) }
    if ends[1] >= 0 { close(ends[1]) }
    guard result >= 0 else {
      if ends[0] >= 0 { close(ends[0]) }
      throw SystemError(-result, in: "fork")
    }
    process = result
    pipe = ends[0]
  }

  deinit {
    if exitCode == nil {
      kill()
      var status: Int32 = 0
      unsafe waitpid(process, &status, 0)
    }
    if pipe >= 0 { close(pipe) }
  }

  /// Ends it at once.
  public func kill() {
    if exitCode == nil { patter_process_kill(process) }
  }

  /// Takes in what it wrote and whether it has ended, without waiting. Returns whether it is over
  /// and all of its output is there.
  public func poll() -> Bool {
    takeOutput()
    if exitCode == nil {
      var code: Int32 = 0
      if unsafe patter_process_ended(process, &code) != 0 { exitCode = code }
    }
    return exitCode != nil && pipe < 0
  }

  private func takeOutput() {
    guard pipe >= 0 else { return }
    var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    var piece = [UInt8](repeating: 0, count: 65_536)
    while unsafe Glibc.poll(&request, 1, 0) > 0 {
      let count = unsafe read(pipe, &piece, piece.count)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        close(pipe)
        pipe = -1
        return
      }
      output += piece[..<count]
    }
  }

  /// Runs programs side by side and waits until all have ended. Whoever still runs after `limit`
  /// is killed; and so are the others, soon after one of them has failed, for they wait for it.
  public static func run(
    _ commands: [ChildCommand], limit: Interval
  ) throws(SystemError) -> [ChildOutcome] {
    var children: [ChildProcess] = []
    for command in commands { children.append(try ChildProcess(command)) }
    var end = now() + limit
    var ranOut = [Bool](repeating: false, count: children.count)
    var hasFailed = false
    while true {
      let running = children.indices.filter { !children[$0].poll() }
      if running.isEmpty { break }
      if !hasFailed, children.contains(where: { ($0.exitCode ?? 0) != 0 }) {
        hasFailed = true
        end = min(end, now() + gracePeriod)
      }
      if now() >= end {
        for index in running {
          ranOut[index] = true
          children[index].kill()
        }
      }
      usleep(5_000)
    }
    return zip(children, ranOut).map { child, ranOut in
      ChildOutcome(
        exitCode: child.exitCode ?? -1, output: String(decoding: child.output, as: UTF8.self),
        ranOutOfTime: ranOut)
    }
  }

  private static let gracePeriod = Interval.seconds(2)

  private static func now() -> Instant {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
