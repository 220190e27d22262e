import Glibc
public import Primitives

/// A file to which a program adds for as long as it runs. It belongs to one thread at a time.
public final class RecordFile {
  private let file: Int32

  /// Makes the file, or empties one that is there. It is readable for its owner alone: what
  /// somebody writes, to whom and when is nobody else's business.
  ///
  /// Only what can be written without waiting for somebody to read is taken: a regular file, or a
  /// device such as `/dev/null`.
  public init(path: String) throws(SystemError) {
    let file = try SystemError.check("open") {
      // Without waiting, or a pipe that nobody reads would hold the program here.
      unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    }
    do throws(SystemError) {
      var status = stat()
      _ = try SystemError.check("fstat") { unsafe fstat(file, &status) }
      switch status.st_mode & S_IFMT {
      case S_IFREG: _ = try SystemError.check("ftruncate") { ftruncate(file, 0) }
      case S_IFCHR: break
      default: throw SystemError(EINVAL, in: "open")
      }
    } catch {
      close(file)
      throw error
    }
    self.file = file
  }

  deinit { close(file) }

  /// Adds `bytes`, all of them; after an error some may be there.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      start += try SystemError.check("write") {
        unsafe bytes.withUnsafeBytes { bytes in
          unsafe Glibc.write(
            file, bytes.baseAddress.map { unsafe $0 + start }, bytes.count - start)
        }
      }
    }
  }
}
