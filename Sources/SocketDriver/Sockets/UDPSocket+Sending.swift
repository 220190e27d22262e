public import Primitives

extension UDPSocket {
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
    guard let segmentSize, segmentSize > 0, segmentSize < bytes.count else {
      return appendOne(bytes, to: path, segmentSize: nil)
    }
    if canSegment { return appendOne(bytes, to: path, segmentSize: segmentSize) }
    var isAccepted = true
    for start in stride(from: 0, to: bytes.count, by: segmentSize) {
      let segment = bytes.extracting(start..<min(start + segmentSize, bytes.count))
      if !appendOne(segment, to: path, segmentSize: nil) { isAccepted = false }
    }
    return isAccepted
  }

  /// Sends what was appended. Never throws: what the network will not take is told of in the
  /// result, datagram by datagram, and what found the kernel's buffer full waits for its turn.
  public func flush() -> FlushResult {
    sendQueued()
    let result = pendingResult
    pendingResult = FlushResult()
    pendingResult.needsWritable = result.needsWritable
    return result
  }

  private func appendOne(_ bytes: Span<UInt8>, to path: Path, segmentSize: Int?) -> Bool {
    guard queue.append(bytes, to: path, segmentSize: segmentSize) else {
      statistics.queueOverflows &+= 1
      return false
    }
    if queue.count >= DatagramBatch.limit, !pendingResult.needsWritable { sendQueued() }
    return true
  }

  private func sendQueued() {
    let descriptor = fileDescriptor
    queue.flush(into: &pendingResult, statistics: &statistics) { batch, count in
      batch.send(count, by: descriptor)
    }
  }
}
