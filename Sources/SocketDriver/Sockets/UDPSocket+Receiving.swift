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

  /// Hands every datagram that is there to `body`, at most `batchesPerReceive` batches of them, and
  /// no further batch after half a mebibyte.
  ///
  /// The bytes are lent for the call of `body` alone, which must not receive on this socket itself.
  /// Empty datagrams are handed on like others. What the network says about datagrams sent earlier
  /// is counted. An error is thrown only where the socket cannot be used at all.
  ///
  /// - Parameter attempts: How often to look where nothing is there, for those who spin.
  public func receive(
    attempts: Int = 1, _ body: (Span<UInt8>, Arrival) -> Void
  ) throws(SystemError) -> Reception {
    precondition(!isReceiving, "receive was called while it lends out a datagram")
    isReceiving = true
    defer { isReceiving = false }
    let before = statistics.bytesReceived
    for _ in 0..<configuration.batchesPerReceive {
      let earlier = statistics.bytesReceived
      let limit = receiveLimit
      let count = received.receive(from: fileDescriptor, limit: limit, attempts: attempts)
      statistics.receiveCalls &+= 1
      if count == -EAGAIN { return .drained }
      if count < 0 {
        let error = SystemError(-count, in: "recvmmsg")
        guard !error.concernsSocket else { throw error }
        statistics.receiveErrors[error.code, default: 0] &+= 1
        continue
      }
      for index in 0..<Int(count) { deliver(index, body) }
      // Of long runs no more at once than still lies in the processor's cache when it is read.
      let isLong = statistics.bytesReceived &- earlier >= 1 << 17
      receiveLimit = isLong ? Self.longRunLimit : received.count
      // Fewer than asked for: asking again would only cost a call to hear that nothing is there.
      if Int(count) < limit { return .drained }
      // Long runs: what they acknowledge, or ask to be acknowledged, shall not wait for all others.
      if statistics.bytesReceived &- before >= 1 << 19 { break }
    }
    return .moreWaiting
  }

  /// Hands on what one place holds: a datagram, or several of one size.
  private func deliver(_ index: Int, _ body: (Span<UInt8>, Arrival) -> Void) {
    noteLost(received.lost(index))
    guard let (arrival, size) = received.arrival(index), size <= configuration.largestDatagram
    else {
      statistics.datagramsTruncated &+= 1
      return
    }
    var (datagramCount, byteCount) = (0, 0)
    received.withBytes(index) { bytes in
      byteCount = bytes.count
      guard size < bytes.count else {
        datagramCount = 1
        return body(bytes, arrival)
      }
      var start = 0
      while start < bytes.count {
        let end = min(start + size, bytes.count)
        body(bytes.extracting(start..<end), arrival)
        start = end
        datagramCount += 1
      }
    }
    statistics.datagramsReceived &+= UInt64(datagramCount)
    statistics.bytesReceived &+= UInt64(byteCount)
  }

  private func noteLost(_ lost: UInt32) {
    guard lost != 0, lost != lostWhenLastTold else { return }
    statistics.receiveOverflows &+= UInt64(lost &- lostWhenLastTold)
    lostWhenLastTold = lost
  }
}

extension SystemError {
  /// Whether it says that the descriptor or the call is wrong, and not something about the network:
  /// trying again would only fail again.
  fileprivate var concernsSocket: Bool {
    [EBADF, ENOTSOCK, EFAULT, EINVAL, EOPNOTSUPP].contains(code)
  }
}
