import Glibc
public import Primitives

extension UDPSocket {
  /// Whether a call of `receive` took all there was.
  public enum Reception: Hashable, Sendable {
    /// Nothing more is there.
    case drained
    /// There may be more: a loop tells again, in its next round.
    case moreWaiting
  }

  /// Hands every datagram that is there to `body`, at most `batchesPerReceive` batches of them.
  ///
  /// The bytes are lent for the call of `body` alone, which must not receive on this socket itself.
  /// Empty datagrams are handed on like others. What the network says about datagrams sent earlier
  /// is counted. An error is thrown only where the socket cannot be used at all.
  public func receive(
    _ body: (Span<UInt8>, Arrival) -> Void
  ) throws(SystemError) -> Reception {
    precondition(!isReceiving, "receive was called while it lends out a datagram")
    isReceiving = true
    defer { isReceiving = false }
    for _ in 0..<configuration.batchesPerReceive {
      let count = received.receive(from: fileDescriptor)
      if count == -EAGAIN { return .drained }
      if count < 0 {
        let error = SystemError(-count, in: "recvmmsg")
        guard !error.concernsSocket else { throw error }
        statistics.receiveErrors[error.code, default: 0] &+= 1
        continue
      }
      for index in 0..<Int(count) { deliver(index, body) }
      // Fewer than asked for: asking again would only cost a call to hear that nothing is there.
      if Int(count) < DatagramBatch.limit { return .drained }
    }
    return .moreWaiting
  }

  private func deliver(_ index: Int, _ body: (Span<UInt8>, Arrival) -> Void) {
    guard let (arrival, byteCount) = received.arrival(index) else {
      statistics.datagramsTruncated &+= 1
      return
    }
    statistics.datagramsReceived &+= 1
    statistics.bytesReceived &+= UInt64(byteCount)
    received.withBytes(index) { body($0, arrival) }
  }
}

extension SystemError {
  /// Whether it says that the descriptor or the call is wrong, and not something about the network:
  /// trying again would only fail again.
  fileprivate var concernsSocket: Bool {
    [EBADF, ENOTSOCK, EFAULT, EINVAL, EOPNOTSUPP].contains(code)
  }
}
