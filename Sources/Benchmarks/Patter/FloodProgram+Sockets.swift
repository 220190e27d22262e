import CBenchmarks
import Primitives
import SocketDriver
import Workloads

/// The same flood over TCP, with a length before each message.
extension FloodProgram {
  /// What a receiver looks at for each message.
  private struct Receiver {
    var meter: FloodMeter
    var clock = PhaseClock()
    var received: UInt64 = 0
    var next: UInt64 = 0
    var outOfSequence: UInt64 = 0

    mutating func take(_ payload: Span<UInt8>, at now: Instant) {
      var offset = 0
      let number = payload.uint64(at: &offset) ?? 0
      if number != next { outOfSequence += 1 }
      next = number + 1
      received += 1
      meter.look(received, at: now)
      clock.look(meter.phase)
    }
  }

  func serveStream() throws(BenchmarkError) -> String {
    let descriptor = unsafe patter_stream_listen(true, "\(address.ip)", address.port, congestion)
    try check(descriptor, "listen")
    defer { patter_meeting_close(descriptor) }
    var receiver = Receiver(meter: FloodMeter(plan))
    let end = SystemClock.now() + plan.warmUp + plan.duration + .seconds(20)
    let result = unsafe withUnsafeMutablePointer(to: &receiver) { pointer in
      unsafe patter_stream_serve(
        descriptor, true, UInt64(end.nanoseconds),
        { context, bytes, count in
          guard let receiver = unsafe context?.assumingMemoryBound(to: Receiver.self) else {
            return true
          }
          let payload = unsafe UnsafeBufferPointer(start: bytes, count: count)
          unsafe receiver.pointee.take(payload.span, at: SystemClock.now())
          return unsafe receiver.pointee.meter.phase == .over
        }, pointer)
    }
    try check(result, "receive")
    return try report(
      "server", receiver.meter, receiver.clock, outOfSequence: receiver.outOfSequence)
  }

  func dialStream() throws(BenchmarkError) -> String {
    let descriptor = unsafe patter_stream_connect(true, "\(address.ip)", address.port, congestion)
    try check(descriptor, "connect")
    defer { patter_meeting_close(descriptor) }
    var meter = FloodMeter(plan)
    var clock = PhaseClock()
    var payload = [UInt8](repeating: 0, count: plan.size)
    var sent: UInt64 = 0
    while true {
      var span = payload.mutableSpan
      span.overwrite(at: 0, with: sent)
      let result = unsafe patter_stream_write(descriptor, true, payload, payload.count)
      // The receiver has seen enough, which may be a little before the end of our own time.
      if result < 0 { break }
      sent += 1
      meter.look(sent, at: SystemClock.now())
      clock.look(meter.phase)
    }
    return try report("client", meter, clock, outOfSequence: 0, mayBeShort: true)
  }

  private func check(_ result: Int32, _ call: String) throws(BenchmarkError) {
    if result < 0 { throw .failed("flood", "\(call): errno \(-result)") }
  }
}
