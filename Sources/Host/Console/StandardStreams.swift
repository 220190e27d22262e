import Glibc

/// Standard input, output and error.
public enum StandardStreams {
  /// Puts something in the place of those that the program was started without. Else the next file
  /// or socket that is opened would get the number, and be read as the user's input or be written
  /// to as output. Reading and writing still fail, as they would without. Call it before anything
  /// is opened.
  public static func occupyMissing() {
    occupyMissing(input: 0, outputs: 1...2)
  }

  static func occupyMissing(input: Int32, outputs: ClosedRange<Int32>) {
    // The wrong way round, so that using them is an error (EBADF) and no silent end of input or
    // loss of output.
    occupy(input, O_WRONLY)
    for output in outputs { occupy(output, O_RDONLY) }
  }

  private static func occupy(_ descriptor: Int32, _ mode: Int32) {
    guard fcntl(descriptor, F_GETFD) == -1 else { return }
    let opened = unsafe open("/dev/null", mode)
    guard opened >= 0, opened != descriptor else { return }
    dup2(opened, descriptor)
    close(opened)
  }
}
