import Glibc

/// The environment variables of this process.
public enum Environment {
  /// The value of a variable, or `nil` where it is not set or empty: whoever empties a variable
  /// means to unset it.
  public static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
