public import Primitives

/// A value that belongs to the thread of a loop: it may be carried anywhere, and opened only there.
///
/// With it, work that another thread submits reaches the loop's state without a lock.
public final class LoopBound<Value: ~Copyable>: @unchecked Sendable {
  private var value: Value
  private let loop: EventLoop.Handle

  /// Gives `value` to the loop; nothing else may refer to what it holds.
  public init(_ value: consuming sending Value, on loop: EventLoop.Handle) {
    self.value = value
    self.loop = loop
  }

  /// Opens the value; the caller is on the loop's thread, which is checked.
  public func withValue<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(loop.isCurrent, "a value bound to a loop was opened on another thread")
    return try body(&value)
  }
}

extension LoopBound where Value: AnyObject {
  /// Starts the thread that the loop will run on, and has `body` run it there. From then on the
  /// value is that thread's.
  public func startThread(
    name: String, _ body: @escaping @Sendable (Value) -> Void
  ) throws(SystemError) {
    try EventLoop.startThread(name: name) { [self] in body(value) }
  }
}
