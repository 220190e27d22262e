import CSockets
import Primitives

/// What one system call receives or sends: up to 64 datagrams, their places reused from call to
/// call. All pointers of the datagram path are in here.
@safe final class DatagramBatch {
  /// The most datagrams in it.
  static let limit = Int(PATTER_BATCH_LIMIT)

  private let slots: UnsafeMutablePointer<patter_datagram>
  /// Where received bytes go; `nil` in a batch for sending, which lends those of its owner.
  private let bytes: UnsafeMutablePointer<UInt8>?

  /// - Parameter capacity: How large a received datagram may be; 0 in a batch for sending.
  init(capacity: Int) {
    unsafe slots = .allocate(capacity: Self.limit)
    unsafe slots.initialize(repeating: patter_datagram(), count: Self.limit)
    unsafe bytes = capacity > 0 ? .allocate(capacity: Self.limit * capacity) : nil
    guard let bytes = unsafe bytes else { return }
    for index in 0..<Self.limit {
      unsafe slots[index].bytes = unsafe bytes + index * capacity
      unsafe slots[index].capacity = capacity
    }
  }

  deinit {
    unsafe slots.deallocate()
    unsafe bytes?.deallocate()
  }
}

// MARK: - Receiving

extension DatagramBatch {
  /// Returns how many were received, or a negative errno.
  func receive(from descriptor: Int32) -> Int32 {
    unsafe patter_receive_batch(descriptor, slots, PATTER_BATCH_LIMIT)
  }

  /// How and with how many bytes a received datagram came; `nil` where it did not fit.
  func arrival(_ index: Int) -> (arrival: Arrival, byteCount: Int)? {
    let slot = unsafe slots[index]
    guard unsafe !slot.truncated, let remote = unsafe slot.remote.socketAddress else { return nil }
    let path = unsafe Path(remote: remote, local: slot.local.ip, interface: slot.interface)
    return unsafe (Arrival(path: path, hopLimit: UInt8(exactly: slot.hop_limit)), slot.count)
  }

  func withBytes(_ index: Int, _ body: (Span<UInt8>) -> Void) {
    let slot = unsafe slots[index]
    unsafe body(UnsafeBufferPointer(start: slot.bytes, count: slot.count).span)
  }
}

// MARK: - Sending

extension DatagramBatch {
  /// Sets where a datagram goes.
  func address(_ index: Int, to path: Path, segmentSize: UInt32) {
    unsafe slots[index].remote = patter_address(path.remote)
    unsafe slots[index].local = path.local.map { patter_address($0) } ?? patter_address()
    unsafe slots[index].interface = path.interface
    unsafe slots[index].segment_size = segmentSize
    unsafe slots[index].error = 0
  }

  /// Lends the datagrams their bytes, those of `ranges` in `storage`, for the call of `body`.
  func withBytes<Result>(
    of storage: inout [UInt8], _ ranges: some Sequence<Range<Int>>, _ body: () -> Result
  ) -> Result {
    unsafe storage.withUnsafeMutableBufferPointer { buffer in
      for (index, range) in ranges.enumerated() {
        unsafe slots[index].bytes = buffer.baseAddress.map { unsafe $0 + range.lowerBound }
        unsafe slots[index].count = range.count
      }
      return body()
    }
  }

  /// Sends the first `count`; returns how many were dealt with.
  func send(_ count: Int, by descriptor: Int32) -> Int {
    Int(unsafe patter_send_batch(descriptor, slots, Int32(count)))
  }

  /// What was wrong with a datagram that was dealt with, or 0.
  subscript(error index: Int) -> Int32 {
    get { unsafe slots[index].error }
    set { unsafe slots[index].error = newValue }
  }
}
