import CBenchmarks
import ChatTransport
public import Primitives
public import Workloads

/// One end of a flood over the datagram protocol, or over TCP for comparison.
public struct FloodProgram: Hashable, Sendable {
  public var address: SocketAddress
  public var plan: FloodPlan
  public var face: PairCase.Face
  public var settings: PatterSettings
  /// The datagram protocol or TCP.
  public var carrier: PairCase.Carrier
  /// TCP's congestion control; `nil` for the system's.
  public var congestion: String?

  public init(
    address: SocketAddress, plan: FloodPlan, face: PairCase.Face, settings: PatterSettings,
    carrier: PairCase.Carrier = .patter, congestion: String? = nil
  ) {
    self.address = address
    self.plan = plan
    self.face = face
    self.settings = settings
    self.carrier = carrier
    self.congestion = congestion
  }

  /// Waits for a flood and takes it in to its end. Returns the line that tells of it.
  public func serve() throws(BenchmarkError) -> String {
    if carrier == .tcp { return try serveStream() }
    Processor.pin(1)
    guard face == .loop else {
      let end = try ThreadedFlood.serve(self)
      let wrong = end.application.outOfSequence + end.application.strange
      return try report("server", end.meter, end.clock, outOfSequence: wrong)
    }
    var clock = PhaseClock()
    let receiver = try PatterRun.serve(FloodReceiver(plan), at: address, settings) { receiver, _ in
      clock.look(receiver.meter.phase)
      return receiver.isOver
    }
    return try report(
      "server", receiver.meter, clock, outOfSequence: receiver.outOfSequence + receiver.strange)
  }

  /// Sends the flood.
  public func dial() throws(BenchmarkError) -> String {
    if carrier == .tcp { return try dialStream() }
    Processor.pin(0)
    guard face == .loop else {
      let end = try ThreadedFlood.dial(self)
      return try report("client", end.meter, end.clock, outOfSequence: 0)
    }
    var clock = PhaseClock()
    let senders = try PatterRun.dial([FloodSender(plan)], to: address, settings) { sender, _ in
      clock.look(sender.meter.phase)
      return sender.isOver
    }
    if let failure = senders[0].failure {
      throw .failed("flood-client", "the connection ended: \(failure.rawValue)")
    }
    return try report("client", senders[0].meter, clock, outOfSequence: 0)
  }

  func report(
    _ role: String, _ meter: FloodMeter, _ clock: PhaseClock, outOfSequence: UInt64,
    mayBeShort: Bool = false
  ) throws(BenchmarkError) -> String {
    guard meter.phase == .over || (mayBeShort && meter.phase == .measuring) else {
      throw .failed("flood-\(role)", "the flood ended before its time")
    }
    return FloodReport(
      role: role, messages: meter.messages, elapsed: meter.elapsed,
      processorTime: clock.processorTime, lost: 0, outOfSequence: outOfSequence,
      congestion: congestion, port: address.port
    ).line
  }
}

/// Reads the processor time where the measuring begins and ends.
struct PhaseClock: Sendable {
  private var phase = FloodPhase.waiting
  private var began = Interval.zero
  private(set) var processorTime = Interval.zero

  mutating func look(_ now: FloodPhase) {
    guard now != phase else { return }
    if now == .measuring { began = ProcessUsage.processorTime }
    if now == .over { processorTime = ProcessUsage.processorTime - began }
    phase = now
  }
}
