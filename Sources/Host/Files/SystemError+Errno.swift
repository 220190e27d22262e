import CSockets
import Glibc
import Primitives

extension SystemError {
  /// The error of a call that failed with `code`, in the system's own words.
  init(_ code: Int32, in call: String) {
    var text = [CChar](repeating: 0, count: 128)
    unsafe patter_error_text(code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(code: code, call: call, reason: String(decoding: bytes, as: UTF8.self))
  }

  /// Makes a call that returns a negative number and sets `errno` where it fails, again as long as
  /// only a signal has interrupted it.
  static func check<Number: FixedWidthInteger>(
    _ call: String, _ body: () -> Number
  ) throws(SystemError) -> Number {
    while true {
      let result = body()
      if result >= 0 { return result }
      let code = errno
      if code != EINTR { throw SystemError(code, in: call) }
    }
  }
}
