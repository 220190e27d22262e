import Glibc
public import Primitives

/// Small files that are read whole and replaced whole: a reader sees the old content or the new
/// one, and a crash leaves one of them.
public enum AtomicFile {
  /// Writes `bytes` to a file beside `path`, brings it to the disk, and puts it in the place of
  /// `path`.
  ///
  /// - Parameter permissions: Those of the new file, less what the process's mask takes away.
  public static func write(
    _ bytes: [UInt8], to path: String, permissions: UInt32 = 0o600
  ) throws(SystemError) {
    let temporary = "\(path).\(getpid()).new"
    // One of an earlier process of the same number, which was killed in the middle.
    unsafe unlink(temporary)
    let file = try SystemError.check("open") {
      unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    }
    do throws(SystemError) {
      defer { close(file) }
      try writeAll(bytes, to: file)
      _ = try SystemError.check("fsync") { fsync(file) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    do throws(SystemError) {
      _ = try SystemError.check("rename") { unsafe rename(temporary, path) }
    } catch {
      unsafe unlink(temporary)
      throw error
    }
    synchronizeDirectory(of: path)
  }

  /// The content of a file, or `nil` where there is none. Does not wait for somebody to write to a
  /// pipe of that name; such a thing is empty.
  ///
  /// - Parameter limit: How many bytes are read at most; what comes after is left out.
  public static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let file: Int32
    do throws(SystemError) {
      file = try SystemError.check("open") { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    defer { close(file) }
    var content = [UInt8](repeating: 0, count: limit)
    var filled = 0
    while filled < limit {
      let count = try SystemError.check("read") {
        unsafe content.withUnsafeMutableBytes { bytes in
          unsafe Glibc.read(file, bytes.baseAddress.map { unsafe $0 + filled }, limit - filled)
        }
      }
      if count == 0 { break }
      filled += count
    }
    return Array(content[..<filled])
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
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

  /// Brings the new name to the disk. Where the file system cannot, the file is in place all the
  /// same, and only a power cut could still undo it.
  private static func synchronizeDirectory(of path: String) {
    let directory = unsafe open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}

/// The directory that a path is in.
func parent(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
