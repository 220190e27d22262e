public import Primitives

extension UDPSocket {
  /// The most bytes of datagrams that are written at once: what one IPv4 datagram could carry.
  public static let largestRun = 65_507

  /// What a call of `write` found.
  public enum Writing: Hashable, Sendable {
    case written
    /// There was nothing to write.
    case nothing
    /// The kernel's buffer is full, or as much waits as may: go on when the socket is writable.
    case full
  }

  /// Has `body` write datagrams straight into the queue: up to `largestRun` bytes, 64 datagrams at
  /// most, and returning where they go. What goes to another family than the socket's is handed to
  /// `elsewhere`. Call `flush` when there are no more for now; full batches leave by themselves
  /// before. Neither closure may use this socket.
  public func write(
    _ body: (inout OutputSpan<UInt8>) -> Transmit?,
    elsewhere: (Span<UInt8>, Transmit) -> Void
  ) -> Writing {
    guard !isBlocked else { return .full }
    let result = queue.write(
      limit: Self.largestRun, family: configuration.family, body, elsewhere: elsewhere)
    guard let isWritten = result else { return .full }
    if isWritten { sendIfMuch() }
    return isWritten ? .written : .nothing
  }

  /// Copies a datagram for sending along `path`. Call `flush` when there are no more for now; full
  /// batches leave by themselves before.
  ///
  /// A path whose local address is a group, as that of a received datagram may be, is sent along
  /// from an address of the system's choice.
  ///
  /// - Parameter segmentSize: Where `bytes` are several datagrams, the size of each but the last.
  /// - Returns: `false`, and the datagram is dropped and counted, where the kernel's buffer is full
  ///   and as much waits as may.
  @discardableResult
  public func append(_ bytes: Span<UInt8>, to path: Path, segmentSize: Int? = nil) -> Bool {
    guard queue.append(bytes, to: path, segmentSize: segmentSize) else {
      statistics.queueOverflows &+= 1
      return false
    }
    sendIfMuch()
    return true
  }

  /// Whether the kernel's buffer was full when it was tried last, and `flush` has to be called when
  /// the socket is writable.
  public var isBlocked: Bool { pendingResult.needsWritable }

  /// Sends what was appended. Never throws: what the network will not take is told of in the
  /// result, datagram by datagram, and what found the kernel's buffer full waits for its turn.
  public func flush() -> FlushResult {
    if queue.count > 0 { sendQueued() }
    let result = pendingResult
    pendingResult = FlushResult()
    pendingResult.needsWritable = result.needsWritable
    return result
  }

  /// A batch's worth, or as much as still lies in the processor's cache when the kernel copies it.
  private func sendIfMuch() {
    guard !isBlocked, queue.count >= SendBatch.limit || queue.byteCount >= 1 << 17 else { return }
    sendQueued()
  }

  private func sendQueued() {
    queue.flush(into: &pendingResult, statistics: &statistics, sendBatch)
    statistics.segmentationRefusals = queue.refusals
  }
}
