import Glibc

/// Writes lines to the standard streams and ends the process: all this target asks of the system.
enum Output {
  /// Writes each line with a line end behind it to its stream.
  static func write(_ lines: [OutputLine]) {
    for line in lines {
      write(line.text + "\n", to: line.stream == .standardOutput ? STDOUT_FILENO : STDERR_FILENO)
    }
  }

  static func exit(_ code: ExitCode) -> Never {
    Glibc.exit(code.rawValue)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if written < 0, errno == EINTR { continue }
      // A reader that has gone away, or a full disk: nobody is left to be told.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}
