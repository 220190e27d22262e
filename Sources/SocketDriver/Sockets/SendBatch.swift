import CSockets
import Primitives

/// What one system call sends: up to 64 datagrams or runs of them, their places reused from call to
/// call.
@safe final class SendBatch {
  /// The most places in it.
  static let limit = Int(PATTER_BATCH_LIMIT)
  /// The most datagrams that one place may hold: what every kernel cuts that cuts at all.
  static let segmentLimit = 64

  private let slots: UnsafeMutablePointer<patter_datagram>

  init() {
    unsafe slots = .allocate(capacity: Self.limit)
    unsafe slots.initialize(repeating: patter_datagram(), count: Self.limit)
  }

  deinit {
    unsafe slots.deallocate()
  }

  /// Sets what is sent from a place, and where to. The bytes are those of `range` in `storage`,
  /// which have to stay there until `send` has returned.
  func set(
    _ index: Int, _ range: Range<Int>, of storage: SendStorage, segmentSize: Int, to path: Path
  ) {
    let slot = unsafe slots + index
    unsafe slot.pointee.bytes = storage.pointer(to: range)
    unsafe slot.pointee.count = range.count
    unsafe slot.pointee.remote = patter_address(path.remote)
    unsafe slot.pointee.local = path.local.map { patter_address($0) } ?? patter_address()
    unsafe slot.pointee.interface = path.interface
    unsafe slot.pointee.segment_size = UInt32(segmentSize)
    unsafe slot.pointee.error = 0
  }

  /// Sends the first `count`; returns how many were dealt with.
  func send(_ count: Int, by descriptor: Int32) -> Int {
    Int(unsafe patter_send_batch(descriptor, slots, Int32(count)))
  }

  /// What was wrong with a datagram that was dealt with, or 0. That of the first one that was not
  /// says, unless it is 0, that the kernel does not cut this run.
  subscript(error index: Int) -> Int32 {
    get { unsafe slots[index].error }
    set { unsafe slots[index].error = newValue }
  }
}
