/// What a connection counts.
struct ConnectionCounters {
  var messagesSent: UInt64 = 0
  var messagesReceived: UInt64 = 0
  var datagramsSent: UInt64 = 0
  var datagramsReceived: UInt64 = 0
  var bytesSent: UInt64 = 0
  var bytesReceived: UInt64 = 0
  var duplicates: UInt64 = 0
  var reordered: UInt64 = 0
  /// Bytes of streams that were sent again because they were lost.
  var retransmittedBytes: UInt64 = 0
  /// Bytes of streams that rode again, or went in copies, before they were known to be lost.
  var redundantBytes: UInt64 = 0
}
