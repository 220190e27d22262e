public import Primitives

/// What became of the datagrams that were queued for sending.
public struct FlushResult: Sendable {
  /// One datagram that could not be sent, or a run of one size; the others were not touched by it.
  public struct Failure: Hashable, Sendable {
    public var path: Path
    /// The size of the datagram, in bytes.
    public var size: Int
    public var error: SystemError
  }

  /// How many datagrams the kernel took, those counted that were sent since the last result.
  public var sent = 0
  /// How many datagrams failed, by themselves.
  public var failed = 0
  /// The first of those that failed, at most `failureLimit`.
  public var failures: [Failure] = []
  /// Datagrams still wait: call `flush` again when the socket has become writable.
  public var needsWritable = false

  /// How many failures one result tells of.
  public static let failureLimit = 64
}
