import Glibc

/// The terminal, where there is one.
public enum Terminal {
  /// Whether a descriptor (0, 1 or 2, mostly) is a terminal and not a file or a pipe.
  public static func isTerminal(_ fileDescriptor: Int32) -> Bool {
    isatty(fileDescriptor) == 1
  }
}
