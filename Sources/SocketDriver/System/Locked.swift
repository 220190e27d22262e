import Glibc

/// A value behind a lock, to be shared between threads.
///
/// Made of `pthread_mutex`, since the thread sanitizer does not understand
/// `Synchronization.Mutex` and reports correct code as a race. The value lies in memory of its own,
/// which spares the check for exclusive access that a class property would cost on every entry.
@safe public final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let value: UnsafeMutablePointer<Value>

  public init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe self.value = .allocate(capacity: 1)
    var result = unsafe pthread_mutex_init(mutex, nil)
    precondition(result == 0, "a mutex could not be made: errno \(result)")
    result = unsafe pthread_cond_init(condition, nil)
    precondition(result == 0, "a condition could not be made: errno \(result)")
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe condition.deallocate()
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Runs `body` while no other thread does. It must not block, nor enter the same lock again.
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
  /// Blocks the calling thread until `isReady` holds. It is looked at whenever `notifyAll` was
  /// called. Not for threads that others wait for, such as those of Swift's tasks.
  public func wait(until isReady: (borrowing Value) -> Bool) {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while unsafe !isReady(value.pointee) { unsafe pthread_cond_wait(condition, mutex) }
  }

  /// Has all who `wait` look again.
  public func notifyAll() {
    unsafe pthread_cond_broadcast(condition)
  }
}
