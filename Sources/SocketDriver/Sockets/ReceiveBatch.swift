import CSockets
import Primitives

/// What one system call receives: places that are reused from call to call. All pointers of the
/// receiving path are in here.
@safe final class ReceiveBatch {
  /// How many places there are.
  let count: Int

  private let receiver: OpaquePointer
  private let slots: UnsafeMutablePointer<patter_datagram>

  /// - Parameter capacity: How large what comes may be, in bytes.
  init(count: Int, capacity: Int) {
    precondition((1...Int(PATTER_BATCH_LIMIT)).contains(count), "1 to 64 places")
    self.count = count
    guard let receiver = unsafe patter_receiver_new(Int32(count), capacity),
      let slots = unsafe patter_receiver_datagrams(receiver)
    else { preconditionFailure("a receiver without places") }
    unsafe self.receiver = receiver
    unsafe self.slots = slots
  }

  deinit {
    unsafe patter_receiver_free(receiver)
  }

  /// Receives up to `limit`. Returns how many that were, or a negative errno: EAGAIN where none was
  /// there, so many times in a row.
  func receive(from descriptor: Int32, limit: Int, attempts: Int) -> Int32 {
    unsafe patter_receive(
      receiver, Int32(clamping: limit), descriptor, Int32(clamping: attempts))
  }

  /// How it came, and how many bytes each datagram in it has but the last; `nil` where it did not
  /// fit.
  func arrival(_ index: Int) -> (arrival: Arrival, size: Int)? {
    let slot = unsafe slots + index
    guard unsafe !slot.pointee.truncated, let remote = unsafe slot.pointee.remote.socketAddress
    else { return nil }
    let path = unsafe Path(
      remote: remote, local: slot.pointee.local.ip, interface: slot.pointee.interface)
    let size =
      unsafe slot.pointee.segment_size == 0
      ? slot.pointee.count : Int(slot.pointee.segment_size)
    return unsafe (Arrival(path: path, hopLimit: UInt8(exactly: slot.pointee.hop_limit)), size)
  }

  /// How many datagrams the socket has lost so far; 0 also where it was not told.
  func lost(_ index: Int) -> UInt32 { unsafe slots[index].lost }

  func withBytes(_ index: Int, _ body: (Span<UInt8>) -> Void) {
    let slot = unsafe slots + index
    unsafe body(UnsafeBufferPointer(start: slot.pointee.bytes, count: slot.pointee.count).span)
  }
}
