import Glibc

/// Standard input, output and error.
public enum StandardStreams {
  /// Puts something in the place of those that the program was started without. Else the next file
  /// or socket that is opened would get the number, and be read as the user's input or be written
  /// to as output. Reading and writing still fail, as they would without. Call it before anything
  /// is opened.
  public static func occupyMissing() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Those below are there by now, so it gets this number. The wrong way round, so that using it
      // is an error (EBADF) and no silent end of input or loss of output.
      _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
