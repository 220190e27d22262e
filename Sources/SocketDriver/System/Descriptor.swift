import Glibc
import Primitives

/// A file descriptor with one owner, closed with it.
struct Descriptor: ~Copyable {
  let number: Int32

  /// Takes over what a call of the C shim returned; throws where that is a negative errno.
  init(_ result: Int32, _ call: String) throws(SystemError) {
    number = try SystemError.check(result, call)
  }

  deinit {
    _ = close(number)
  }
}
