import Glibc

/// The running program.
public enum Program {
  /// Ends it with a code that whoever started it can read.
  public static func exit(_ code: Int32) -> Never {
    Glibc.exit(code)
  }
}
