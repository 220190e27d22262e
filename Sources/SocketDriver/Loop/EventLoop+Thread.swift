import CSockets
public import Primitives

extension EventLoop {
  /// Runs `body` on a new thread, whose name is cut to 15 bytes. What `body` captures goes over to
  /// that thread: a loop and its sockets can be opened here, where errors are easy to report, and
  /// run there.
  public static func startThread(
    name: String, _ body: sending @escaping () -> Void
  ) throws(SystemError) {
    let context = unsafe Unmanaged.passRetained(ThreadBody(body))
    let result = unsafe patter_thread_start(name, runThreadBody, context.toOpaque())
    guard result < 0 else { return }
    unsafe context.release()
    throw SystemError(-result, in: "pthread_create")
  }
}

private final class ThreadBody {
  let run: () -> Void

  init(_ run: sending @escaping () -> Void) {
    self.run = run
  }
}

/// A function of no actor: a closure written in the context of one would check at run time that it
/// is there, and trap on a thread that no actor knows.
nonisolated private func runThreadBody(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
}
