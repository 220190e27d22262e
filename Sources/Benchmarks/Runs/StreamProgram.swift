import CBenchmarks
import ChatTransport
public import Primitives
import SocketDriver
public import Workloads

/// One end of a stream, over whatever carries it.
public struct StreamProgram: Hashable, Sendable {
  public var plan: StreamPlan
  public var carrier: PairCase.Carrier
  /// IPv4, of the server.
  public var address: SocketAddress
  /// The congestion control of TCP; `nil` for the system's.
  public var congestion: String?
  public var settings: PatterSettings
  /// How long the server waits for what is missing after the last message was sent.
  public var grace: Interval
  /// Whether the server tells every sample in a line of its own.
  public var tellsSamples: Bool

  public init(
    plan: StreamPlan, carrier: PairCase.Carrier, address: SocketAddress,
    congestion: String? = nil, settings: PatterSettings = PatterSettings(),
    grace: Interval = .seconds(3), tellsSamples: Bool = false
  ) {
    self.plan = plan
    self.carrier = carrier
    self.address = address
    self.congestion = congestion
    self.settings = settings
    self.grace = grace
    self.tellsSamples = tellsSamples
  }

  /// Takes all flows in, and returns the lines that tell of them.
  public func serve() throws(BenchmarkError) -> [String] {
    let length = Interval.nanoseconds(Int64(plan.seconds * 1e9))
    // The flows begin when all are connected.
    let end = SystemClock.now() + length + grace + .seconds(2)
    var recorder =
      carrier == .patter ? try recordPatter(until: end) : try recordSockets(until: end)
    let line = recorder.report(
      name: name, port: address.port, processorTime: ProcessUsage.processorTime,
      peakMemory: ProcessUsage.peakMemory)
    return tellsSamples ? [recorder.samplesLine, line] : [line]
  }

  /// Sends all flows.
  public func dial() throws(BenchmarkError) {
    if carrier == .patter { try sendPatter() } else { try sendSockets() }
  }

  /// What carries the stream, as other programs that measure the same name it.
  private var name: String {
    switch carrier {
    case .udp: "udp-raw"
    case .tcp: "tcp-\(congestion ?? "default")"
    case .patter: "patter-\(settings.delivery)"
    }
  }

  private var isTCP: Bool { carrier == .tcp }

  // MARK: The datagram protocol

  private func recordPatter(until end: Instant) throws(BenchmarkError) -> StreamRecorder {
    let receiver = try PatterRun.serve(StreamReceiver(plan, end: end), at: address, settings) {
      receiver, _ in receiver.isOver
    }
    return receiver.recorder
  }

  private func sendPatter() throws(BenchmarkError) {
    let start = StreamStart(flows: plan.flows)
    let senders = (0..<plan.flows).map { flow in
      StreamSender(plan, flow: flow, options: settings.options, start: start)
    }
    // What is still on its way has to arrive before the connection ends.
    let length = Interval.nanoseconds(Int64(plan.seconds * 1e9))
    let latest = SystemClock.now() + length + .seconds(10) + grace
    let ended = try PatterRun.dial(senders, to: address, settings) { sender, now in
      if now >= latest || sender.failure != nil { return true }
      guard sender.isOver, let began = start.instant else { return false }
      return now >= began + length + grace
    }
    if start.instant == nil { throw .failed("stream-client", "not all flows were connected") }
    if let failure = ended.compactMap(\.failure).first, failure != .closedByThem {
      throw .failed("stream-client", "a connection ended: \(failure.rawValue)")
    }
  }

  // MARK: Plain sockets

  private func recordSockets(until end: Instant) throws(BenchmarkError) -> StreamRecorder {
    let descriptor = unsafe patter_stream_listen(
      isTCP, "\(address.ip)", address.port, congestion)
    try check(descriptor, "listen")
    defer { patter_meeting_close(descriptor) }
    var recorder = StreamRecorder(plan)
    let result = unsafe withUnsafeMutablePointer(to: &recorder) { pointer in
      unsafe patter_stream_serve(
        descriptor, isTCP, UInt64(end.nanoseconds),
        { context, bytes, count in
          guard let recorder = unsafe context?.assumingMemoryBound(to: StreamRecorder.self) else {
            return true
          }
          let payload = unsafe UnsafeBufferPointer(start: bytes, count: count)
          unsafe recorder.pointee.take(payload.span, at: SystemClock.now())
          return unsafe recorder.pointee.isComplete
        }, pointer)
    }
    try check(result, "receive")
    return recorder
  }

  private func sendSockets() throws(BenchmarkError) {
    patter_sleep_until(UInt64((SystemClock.now() + .milliseconds(200)).nanoseconds))
    var descriptors: [Int32] = []
    for flow in 0..<plan.flows {
      // All flows of UDP leave from one socket: there is no connection to be had.
      if flow > 0, !isTCP { break }
      let descriptor = unsafe patter_stream_connect(
        isTCP, "\(address.ip)", address.port, congestion)
      try check(descriptor, "connect")
      descriptors.append(descriptor)
    }
    let start = SystemClock.now() + .milliseconds(50)
    var payload = [UInt8](repeating: 0, count: plan.size)
    for sequence in 0..<plan.messagesPerFlow {
      for flow in 0..<plan.flows {
        let due = plan.due(flow: flow, sequence: sequence, start: start)
        patter_sleep_until(UInt64(due.nanoseconds))
        let message = StreamMessage(flow: UInt32(flow), sequence: sequence, scheduled: due)
        var span = payload.mutableSpan
        message.write(over: &span)
        let descriptor = descriptors[isTCP ? flow : 0]
        let result = unsafe patter_stream_write(descriptor, isTCP, payload, payload.count)
        // The server has seen enough, or all that it waits for.
        if result < 0 { return }
      }
    }
    // What the kernel still holds is on its way as long as this process lives.
    patter_sleep_until(UInt64((SystemClock.now() + grace).nanoseconds))
  }

  private func check(_ result: Int32, _ call: String) throws(BenchmarkError) {
    if result < 0 { throw .failed("stream", "\(call): errno \(-result)") }
  }
}
