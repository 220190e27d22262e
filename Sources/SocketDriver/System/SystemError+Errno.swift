import CSockets
import Glibc
public import Primitives

extension SystemError {
  /// The error of a call that failed with `code`, in the system's own words.
  init(_ code: Int32, in call: String) {
    var text = [CChar](repeating: 0, count: 128)
    unsafe patter_error_text(code, &text, text.count)
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self.init(code: code, call: call, reason: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns what a call of the C shim gave, or throws where that is a negative errno.
  static func check(_ result: Int32, _ call: String) throws(SystemError) -> Int32 {
    guard result < 0 else { return result }
    throw SystemError(-result, in: call)
  }
}

extension SystemError {
  /// Whether another program has the address or port.
  public var isAddressInUse: Bool { code == EADDRINUSE }

  /// Whether this host does not have the address family at all.
  public var isFamilyMissing: Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }
}

extension SystemError {
  /// What the failure of a send means to a protocol.
  public var sendFailure: SendFailure {
    switch code {
    case EMSGSIZE: .tooLarge
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, ENODEV, ENXIO:
      .unreachable
    case EACCES, EPERM: .forbidden
    default: .other
    }
  }
}
