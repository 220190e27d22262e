import Glibc

/// A value behind a lock, to be shared between threads.
///
/// Made of `pthread_mutex`, since the thread sanitizer does not understand
/// `Synchronization.Mutex` and reports correct code as a race. The value lies in memory of its own,
/// which spares the check for exclusive access that a class property would cost on every entry.
@safe public final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  public init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe self.value = .allocate(capacity: 1)
    let result = unsafe pthread_mutex_init(mutex, nil)
    precondition(result == 0, "a mutex could not be made: errno \(result)")
    unsafe self.value.initialize(to: value)
  }

  deinit {
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
}
