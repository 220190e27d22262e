import ChatTransport
import Primitives

extension Connection {
  /// Whether `transmit` has a datagram to write.
  func wantsToTransmit(at now: Instant) -> Bool {
    switch phase {
    case .unconfirmed, .ended: return false
    case .closing, .draining: return owesClose
    case .established:
      return received.owesAcknowledgement(at: now) || probesOwed > 0 || owesPing
        || receiving.owesWindows || copies.isDue(at: now)
        || (mayWriteMore && mayStart(at: now))
    }
  }

  /// Whether there are messages, or pieces of some, that have to be written.
  var mayWriteMore: Bool { sending.hasWork || unreliable.hasWork }

  /// Whether the limits on what is in flight let a new packet of messages go.
  private func mayStart(at now: Instant) -> Bool {
    recovery.bytesInFlight < congestion.window
      && (pacer.allowance > 0 || pacer.nextSend.map { $0 <= now } ?? false)
  }

  /// The most datagrams that are written at once (UDP_SEGMENT takes 64).
  private static let segmentLimit = 64

  /// Writes the next datagram, or several of one size behind each other, the last of which may be
  /// smaller. Returns `nil` where there is none.
  mutating func transmit(
    into output: inout OutputSpan<UInt8>, at now: Instant, _ workspace: inout Workspace
  ) -> Transmit? {
    guard wantsToTransmit(at: now) else { return nil }
    guard phase == .established else {
      writeClose(into: &output, at: now, &workspace)
      return Transmit(path: paths.current)
    }
    pacer.refill(at: now, rate: congestion.pacingRate(recovery.roundTrip))
    let size = min(pathMTU.current, output.freeCapacity)
    if let probe = nextPathProbe(at: now, capacity: output.freeCapacity) {
      writePathProbe(of: probe, into: &output, at: now, &workspace)
      return Transmit(path: paths.current)
    }
    var count = 0
    repeat {
      let start = output.count
      writeDatagram(upTo: start + size, into: &output, at: now, &workspace)
      count += 1
      // One that is not full ends the run.
      guard output.count - start == size else { break }
    } while count < Self.segmentLimit && output.freeCapacity >= size
      && mayWriteMore && mayStart(at: now)
    isLimited = mayWriteMore
    congestion.didTransmit(
      bytesInFlight: recovery.bytesInFlight, isHeldBack: isLimited, at: now)
    return Transmit(path: paths.current, segmentSize: count > 1 ? size : nil)
  }

  /// Writes one datagram from where `output` is to at most `end`.
  private mutating func writeDatagram(
    upTo limit: Int, into output: inout OutputSpan<UInt8>, at now: Instant,
    _ workspace: inout Workspace
  ) {
    let start = output.count
    // A probe of a path that has become narrower must get through.
    let end = probesOwed > 0 ? min(limit, start + ProtocolLimits.baseDatagramSize) : limit
    let number = beginPacket(into: &output)
    let headerEnd = output.count
    var packet = OutgoingPacket(start: start, end: end)
    workspace.chunks.removeAll(keepingCapacity: true)
    let acknowledged = received.writeAcknowledgement(upTo: end, into: &output, at: now)
    if receiving.writeWindows(upTo: end, into: &output) { packet.contents.insert(.windows) }
    if probesOwed > 0 {
      probesOwed -= 1
      sending.writeOldest(upTo: end, into: &output, chunks: &workspace.chunks)
      if workspace.chunks.isEmpty { owesPing = true }
    } else if copies.isDue(at: now) {
      writeCopies(upTo: end, into: &output, at: now, &workspace)
      packet.contents.insert(.copies)
    }
    if mayStart(at: now), mayWriteMore {
      // What is new is acknowledged sooner than a copy.
      packet.contents.remove(.copies)
      writeMessages(&packet, into: &output, at: now, &workspace)
    }
    // A packet of messages is a question in itself.
    if !workspace.chunks.isEmpty || packet.hasUnreliable || packet.contents.contains(.windows) {
      packet.contents.insert(.ackEliciting)
    } else if owesPing || (acknowledged == nil && output.count == headerEnd) {
      output.append(Frame.Kind.ping)
      // From another address than before it is worth a question whether we are there.
      while (output.count - start) * 3 < PathProof.probeSize, output.count < end {
        output.append(Frame.Kind.padding)
      }
      packet.contents.insert(.ackEliciting)
    }
    if packet.contents.contains(.ackEliciting) { owesPing = false }
    if mayWriteMore, packet.isNearlyFull(output.count) { packet.pad(&output) }
    finish(packet, number, acknowledged, size: output.count - start, at: now, &workspace)
    if workspace.trace.isOn {
      traceSent(
        number, packet.contents, output.span.extracting(start..<output.count), at: now,
        &workspace.trace)
    }
  }

  /// Writes the header of a new packet and returns its number.
  private mutating func beginPacket(into output: inout OutputSpan<UInt8>) -> UInt64 {
    let number = recovery.takePacketNumber()
    PacketHeader(
      destination: identifiers.remoteID, number: number,
      largestAcknowledged: recovery.largestAcknowledged
    ).emit(into: &output)
    return number
  }

  private mutating func noteSent(size: Int) {
    counters.datagramsSent += 1
    counters.bytesSent += UInt64(size)
  }

  /// Notes what was written.
  private mutating func finish(
    _ packet: OutgoingPacket, _ number: UInt64, _ acknowledged: UInt64?, size: Int,
    at now: Instant, _ workspace: inout Workspace
  ) {
    recovery.didSend(
      number: number, at: now, size: size, contents: packet.contents, chunks: workspace.chunks,
      largestAcknowledgementWritten: acknowledged)
    if packet.contents.contains(.ackEliciting) {
      pacer.didSend(size)
    }
    noteSent(size: size)
    guard packet.freshBytes > 0 else { return }
    // Into silence goes no more than it takes to find out whether somebody is there.
    if recovery.probeCount < 2 {
      copies.schedule(packet.freshChunks, packet.copies, sentAt: now)
    }
  }

  /// Lost pieces first, then new messages, then what can ride again.
  private mutating func writeMessages(
    _ packet: inout OutgoingPacket, into output: inout OutputSpan<UInt8>, at now: Instant,
    _ workspace: inout Workspace
  ) {
    sending.beginPacket()
    var before = output.count
    sending.writeLost(upTo: packet.end, into: &output, chunks: &workspace.chunks)
    counters.retransmittedBytes += UInt64(output.count - before)
    let lostCount = workspace.chunks.count
    before = output.count
    if unreliableGoFirst { writeUnreliable(&packet, into: &output, at: now) }
    sending.writeFresh(upTo: packet.end, into: &output, chunks: &workspace.chunks)
    if !unreliableGoFirst { writeUnreliable(&packet, into: &output, at: now) }
    unreliableGoFirst.toggle()
    sending.takeTurns()
    guard workspace.chunks.count > lostCount else { return }
    packet.freshBytes = output.count - before
    let plan = redundancy.plan(
      freshBytes: packet.freshBytes, room: packet.end - before, isLimited: mayWriteMore,
      roundTrip: recovery.roundTrip.smoothed, at: now)
    if workspace.trace.isOn { tracePlan(plan, at: now, &workspace.trace) }
    if plan.copies.count > 0 {
      packet.copies = plan.copies
      packet.freshChunks = Array(workspace.chunks[lostCount...])
    }
    guard plan.sends > 0 else { return }
    let count = sending.writeRides(
      sends: plan.sends, budget: plan.byteBudget, upTo: packet.end, into: &output,
      chunks: &workspace.chunks)
    counters.redundantBytes += UInt64(count)
  }

  private mutating func writeUnreliable(
    _ packet: inout OutgoingPacket, into output: inout OutputSpan<UInt8>, at now: Instant
  ) {
    while unreliable.hasWork,
      unreliable.write(into: &output, room: packet.end - output.count, at: now) != nil
    {
      packet.hasUnreliable = true
    }
  }

  private mutating func writeCopies(
    upTo end: Int, into output: inout OutputSpan<UInt8>, at now: Instant,
    _ workspace: inout Workspace
  ) {
    while let chunks = copies.next(at: now) {
      let before = output.count
      for chunk in chunks {
        sending.writeCopy(of: chunk, upTo: end, into: &output, chunks: &workspace.chunks)
      }
      counters.redundantBytes += UInt64(output.count - before)
    }
  }

  // MARK: Path MTU

  /// The size to probe the path with, where that is worth it now.
  private mutating func nextPathProbe(at now: Instant, capacity: Int) -> Int? {
    if isLimited { pathMTU.wantsLarger = true }
    guard pathMTU.wantsLarger, mayStart(at: now), let size = pathMTU.nextProbe(at: now),
      size <= capacity
    else { return nil }
    return size
  }

  private mutating func writePathProbe(
    of size: Int, into output: inout OutputSpan<UInt8>, at now: Instant,
    _ workspace: inout Workspace
  ) {
    let number = beginPacket(into: &output)
    output.append(Frame.Kind.ping)
    output.append(repeating: Frame.Kind.padding, count: size - output.count)
    recovery.didSend(
      number: number, at: now, size: size, contents: [.ackEliciting, .probe], chunks: [],
      largestAcknowledgementWritten: nil)
    noteSent(size: size)
    if workspace.trace.isOn {
      traceSent(number, [.ackEliciting, .probe], output.span, at: now, &workspace.trace)
    }
  }

  private mutating func writeClose(
    into output: inout OutputSpan<UInt8>, at now: Instant, _ workspace: inout Workspace
  ) {
    owesClose = false
    var code = Frame.CloseCode.goodbye
    if case .closing(let closing) = phase { code = closing.code }
    let start = output.count
    let number = beginPacket(into: &output)
    output.append(Frame.Kind.close)
    output.append(code.rawValue)
    noteSent(size: output.count - start)
    if workspace.trace.isOn {
      traceSent(number, [], output.span, at: now, &workspace.trace)
    }
  }
}
