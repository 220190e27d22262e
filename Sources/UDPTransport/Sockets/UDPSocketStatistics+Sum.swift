import SocketDriver

extension UDPSocketStatistics {
  /// Adds up the counters. The sizes of buffers are then those of the socket that was granted
  /// least.
  static func += (left: inout UDPSocketStatistics, right: UDPSocketStatistics) {
    left.datagramsReceived &+= right.datagramsReceived
    left.bytesReceived &+= right.bytesReceived
    left.datagramsTruncated &+= right.datagramsTruncated
    left.receiveOverflows &+= right.receiveOverflows
    left.receiveCalls &+= right.receiveCalls
    left.receiveBufferSize = least(left.receiveBufferSize, right.receiveBufferSize)
    left.sendBufferSize = least(left.sendBufferSize, right.sendBufferSize)
    left.isCoalescing = left.isCoalescing || right.isCoalescing
    left.segmentationRefusals &+= right.segmentationRefusals
    left.datagramsSent &+= right.datagramsSent
    left.bytesSent &+= right.bytesSent
    left.queueOverflows &+= right.queueOverflows
    left.receiveErrors.merge(right.receiveErrors, uniquingKeysWith: &+)
    left.sendErrors.merge(right.sendErrors, uniquingKeysWith: &+)
  }

  private static func least(_ left: Int, _ right: Int) -> Int {
    left == 0 || right == 0 ? max(left, right) : min(left, right)
  }
}
