import Glibc
public import Primitives

/// Small files of text that are not ours, such as those below `/proc`.
public enum TextFile {
  /// What is in the file, up to a megabyte; `nil` where it cannot be read.
  public static func read(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < 1 << 20 {
      let count = unsafe Glibc.read(file, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes `text` to a file that is there, in one piece, as the kernel's settings want it.
  public static func write(_ text: String, to path: String) throws(SystemError) {
    let file = try SystemError.check("open \(path)") { unsafe open(path, O_WRONLY | O_CLOEXEC) }
    defer { close(file) }
    var bytes = Array(text.utf8)
    _ = try SystemError.check("write \(path)") { unsafe Glibc.write(file, &bytes, bytes.count) }
  }
}
