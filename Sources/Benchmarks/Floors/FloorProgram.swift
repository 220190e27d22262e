import CBenchmarks
import Host
public import Primitives
import Workloads

/// One end of a floor, in a process of its own.
public struct FloorProgram: Hashable, Sendable {
  public var floor: FloorCase
  public var isServer: Bool
  /// How long is measured; the warm-up is a sixth of that.
  public var duration: Interval
  /// How many round trips are measured.
  public var roundTrips: Int

  public init(floor: FloorCase, isServer: Bool, duration: Interval, roundTrips: Int) {
    self.floor = floor
    self.isServer = isServer
    self.duration = duration
    self.roundTrips = roundTrips
  }

  /// Runs to the end, together with the other end, which was handed the same shared memory, and
  /// returns the line that tells what was measured.
  public func run() throws(SystemError) -> String {
    guard let meeting = unsafe patter_meeting_map(ChildCommand.sharedDescriptor) else {
      throw SystemError(
        code: 0, call: "mmap", reason: "the other end is missing; this is run by patter bench")
    }
    Processor.pin(isServer ? 1 : 0)
    var flat = floor.flat(warmUp: duration / 6, duration: duration)
    if floor.isEcho {
      if isServer {
        try check(unsafe patter_echo(meeting, &flat), "echo")
        return ProcessUsage.line(role: "server")
      }
      var samples = [UInt64](repeating: 0, count: roundTrips)
      try check(unsafe patter_ping(meeting, &flat, &samples, samples.count), "ping")
      return EchoReport(Samples(samples)).line
    }
    var end = patter_floor_end()
    if isServer {
      try check(unsafe patter_flood_receive(meeting, &flat, &end), "receive")
    } else {
      try check(unsafe patter_flood_send(meeting, &flat, &end), "send")
    }
    return FloodReport(
      role: isServer ? "server" : "client", messages: end.messages,
      elapsed: .nanoseconds(Int64(end.elapsed)),
      processorTime: .nanoseconds(Int64(end.processor_time)), lost: end.lost,
      outOfSequence: 0, congestion: congestion(of: end)
    ).line
  }

  private func congestion(of end: patter_floor_end) -> String? {
    guard floor.isTCP else { return nil }
    let bytes = unsafe withUnsafeBytes(of: end.congestion) { name in
      unsafe name.prefix { $0 != 0 }.map { $0 }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func check(_ result: Int32, _ call: String) throws(SystemError) {
    guard result < 0 else { return }
    throw SystemError(code: -result, call: "\(floor.name) \(call)", reason: "errno \(-result)")
  }
}
