import Glibc
public import Primitives

/// Bytes from a descriptor that something else has found to be readable: standard input, mostly. It
/// does not own the descriptor, nor change it: whoever shares it (the shell) would be surprised.
public final class FileInput {
  /// What one reading gave.
  public enum Result: Hashable, Sendable {
    /// Bytes were handed on.
    case read
    /// There is nothing to read for now.
    case nothing
    /// The end: there will be nothing more.
    case end
    case failed(SystemError)
  }

  /// How much one call reads at most, in bytes.
  public static let readSize = 65_536

  public let fileDescriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: readSize)

  public init(fileDescriptor: Int32) {
    self.fileDescriptor = fileDescriptor
  }

  public static func standardInput() -> FileInput { FileInput(fileDescriptor: 0) }

  /// Reads once, and lends what was read to `body`, which must not read itself.
  public func read(_ body: (Span<UInt8>) -> Void) -> Result {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(fileDescriptor, bytes.baseAddress, bytes.count)
      }
      if count > 0 {
        unsafe buffer.withUnsafeBufferPointer { bytes in
          unsafe body(UnsafeBufferPointer(rebasing: bytes[..<count]).span)
        }
        return .read
      }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothing
      case let code: return .failed(SystemError(code, in: "read"))
      }
    }
  }
}
