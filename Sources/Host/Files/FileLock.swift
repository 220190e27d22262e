import Glibc
import Primitives

/// An exclusive lock that ends with this value, or with the process, however that ends. The locked
/// file is only there to be locked and stays when it is not.
final class FileLock {
  private let descriptor: Int32

  /// Takes the lock, or returns `nil` where somebody has it.
  static func take(_ path: String) throws(SystemError) -> FileLock? {
    let descriptor = try SystemError.check("open") {
      unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }
    let lock = FileLock(descriptor)
    do throws(SystemError) {
      _ = try SystemError.check("flock") { flock(descriptor, LOCK_EX | LOCK_NB) }
    } catch {
      if error.code == EWOULDBLOCK { return nil }
      throw error
    }
    return lock
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    // Closing alone would not end it while a child that was just forked still has the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
