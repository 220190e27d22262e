import ChatTransport
import Primitives

/// Called only while `TraceBuffer.isOn`.
extension Connection {
  /// Tells what has changed since the last look.
  mutating func traceChanges(at now: Instant, _ workspace: inout Workspace) {
    guard workspace.trace.isOn else { return }
    traceChanges(at: now, &workspace.trace)
  }

  private func traceChanges(at now: Instant, _ trace: inout TraceBuffer) {
    // Its end was told already.
    if phase == .ended, trace[peer] == nil { return }
    var memory = traceMemory(at: now, &trace)
    let name = memory.name
    if paths.current != memory.path {
      memory.path = paths.current
      trace.append(.pathChanged(memory.path), of: name, at: now)
    }
    if pathMTU.current != memory.datagramSize {
      trace.append(
        .datagramSizeChanged(from: memory.datagramSize, to: pathMTU.current), of: name, at: now)
      memory.datagramSize = pathMTU.current
    }
    if memory.metrics != metrics {
      memory.metrics = metrics
      trace.append(.metrics(metrics), of: name, at: now)
    }
    if let congestion = congestion.traced, congestion != memory.congestion {
      trace.append(.congestionChanged(from: memory.congestion, to: congestion), of: name, at: now)
      memory.congestion = congestion
    }
    if memory.state != phase.traced {
      trace.append(.stateChanged(from: memory.state, to: phase.traced), of: name, at: now)
      memory.state = phase.traced
    }
    trace[peer] = phase == .ended ? nil : memory
  }

  /// Tells of a packet that was written, of which the trace reads what the other side will.
  func traceSent(
    _ number: UInt64, _ contents: PacketContents, _ packet: Span<UInt8>, at now: Instant,
    _ trace: inout TraceBuffer
  ) {
    var memory = traceMemory(at: now, &trace)
    var offset = 0
    guard PacketHeader(parsing: packet, at: &offset) != nil else { return }
    var told = TracePacket(number: number, packet: packet, framesAt: offset)
    told.retransmittedBytes = counters.retransmittedBytes - memory.retransmittedBytes
    told.redundantBytes = counters.redundantBytes - memory.redundantBytes
    told.isSizeProbe = contents.contains(.probe)
    told.hasCopies = contents.contains(.copies)
    memory.retransmittedBytes = counters.retransmittedBytes
    memory.redundantBytes = counters.redundantBytes
    trace.append(.sent(told), of: memory.name, at: now)
    trace[peer] = memory
  }

  func traceReceived(
    _ number: UInt64, _ packet: Span<UInt8>, framesAt offset: Int, at now: Instant,
    _ trace: inout TraceBuffer
  ) {
    let name = traceMemory(at: now, &trace).name
    trace.append(
      .received(TracePacket(number: number, packet: packet, framesAt: offset)), of: name, at: now)
  }

  /// Tells of the packets that are lost, and of those that are not after all.
  func traceLosses(
    _ outcome: borrowing RecoveryOutcome, at now: Instant, _ trace: inout TraceBuffer
  ) {
    guard !outcome.lostPackets.isEmpty || !outcome.latePackets.isEmpty else { return }
    let name = traceMemory(at: now, &trace).name
    for number in outcome.latePackets {
      trace.append(.spuriousLoss(number: number), of: name, at: now)
    }
    for packet in outcome.lostPackets {
      trace.append(
        .lost(number: packet.number, size: packet.size, cause: packet.cause), of: name, at: now)
    }
  }

  func tracePlan(
    _ plan: RedundancyController.Plan, at now: Instant, _ trace: inout TraceBuffer
  ) {
    var memory = traceMemory(at: now, &trace)
    let redundancy = TraceRedundancy(
      rides: plan.sends, copies: plan.copies.count,
      spacing: plan.copies.count > 0 ? plan.copies.spacing : .zero)
    guard redundancy != memory.redundancy else { return }
    memory.redundancy = redundancy
    trace.append(.redundancyChanged(redundancy), of: memory.name, at: now)
    trace[peer] = memory
  }

  func traceLeaving(_ reason: LeaveReason, at now: Instant, _ trace: inout TraceBuffer) {
    trace.append(.left(reason), of: traceMemory(at: now, &trace).name, at: now)
  }

  /// What was told last; the first time, the start is told.
  private func traceMemory(at now: Instant, _ trace: inout TraceBuffer) -> TraceMemory {
    if let memory = trace[peer] { return memory }
    let memory = TraceMemory(
      name: traceName, path: paths.current, datagramSize: pathMTU.current)
    trace[peer] = memory
    trace.append(
      .started(path: paths.current, isDialler: identifiers.isDialler), of: memory.name, at: now)
    return memory
  }

  /// Both ends find the same, and nobody finds the identifiers by it.
  var traceName: TraceName {
    var hash = SipHash(key: identifiers.pathKey)
    // Proofs of paths begin with 0 and 1.
    hash.combine(UInt8(2))
    return TraceName(rawValue: hash.finalize())
  }

  private var metrics: TraceMetrics {
    let rate = congestion.pacingRate(recovery.roundTrip)
    return TraceMetrics(
      roundTrip: recovery.roundTrip.hasSample ? recovery.roundTrip.figures : nil,
      probeCount: recovery.probeCount, congestionWindow: congestion.window,
      bytesInFlight: recovery.bytesInFlight, packetsInFlight: recovery.packetsInFlight,
      slowStartThreshold: congestion.slowStartThreshold == .max
        ? nil : congestion.slowStartThreshold,
      pacingRate: rate == .max ? nil : rate)
  }
}

extension Connection.Phase {
  fileprivate var traced: TraceState {
    switch self {
    case .unconfirmed: .unconfirmed
    case .established: .established
    case .closing: .closing
    case .draining: .draining
    case .ended: .ended
    }
  }
}

extension CongestionController {
  /// `nil` where the window does not follow what happens.
  fileprivate var traced: TraceCongestion? {
    switch algorithm {
    case .fixedRate, .unlimited: nil
    case .cubic, .newReno:
      if isRecovering {
        .recovery
      } else if isInSlowStart {
        .slowStart
      } else {
        .congestionAvoidance
      }
    }
  }
}
