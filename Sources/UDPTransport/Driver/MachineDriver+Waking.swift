import ChatTransport
import NetworkEmulator
public import Primitives
import SocketDriver

extension MachineDriver where Machine: ~Copyable, Application: ~Copyable {
  /// How often the application is run in one wake at most: one that reads no events for now, as it
  /// may, or always causes new ones, must not hold the loop.
  private static var passLimit: Int { 8 }

  /// How often the machine is pulled in one wake at most, so that what comes in meanwhile is looked
  /// at: acknowledgements among it.
  private static var pullLimit: Int { 64 }

  /// How long a machine waits whose deadline has passed while the kernel takes nothing.
  private static var blockedPause: Interval { .milliseconds(1) }

  /// One wake: what `run` has the loop call. For a loop that several drivers share, whose own
  /// `tick` calls this of each of them and returns the earliest of what they return: when each has
  /// to be called again at the latest.
  public func wake(at now: Instant) -> Instant? {
    while let (arrival, datagram) = incoming?.nextDue(at: now) {
      machine.receive(datagram.span, arrival: arrival, at: now)
    }
    machine.advance(to: now)
    // What the application does, and the sending of it, may lead to events of their own, such as
    // `closed`; nothing else would wake the loop for them.
    var passCount = 0
    repeat {
      application.run(over: &machine, at: now)
      transmit(at: now)
      passCount += 1
    } while machine.hasEvents && passCount < Self.passLimit
    afterWake?(&machine, now)
    return nextWake(after: now)
  }

  private func nextWake(after now: Instant) -> Instant? {
    // Both of the machine's protocols ask for the same.
    var deadline = machine.deadline
    if let due = deadline, due <= now, sockets.isBlocked { deadline = now + Self.blockedPause }
    deadline = Instant.earlier(deadline, nextPull)
    deadline = Instant.earlier(deadline, application.deadline)
    deadline = Instant.earlier(deadline, outgoing?.deadline)
    return Instant.earlier(deadline, incoming?.deadline)
  }

  // MARK: Sending

  private func transmit(at now: Instant) {
    nextPull = nil
    for _ in 0..<Self.passLimit {
      // What was in the way may be so no more: the wake may be for that.
      if sockets.isBlocked { flush(at: now) }
      let ending = pull(at: now)
      let hasFailed = flush(at: now)
      if ending == .written {
        nextPull = now
        return
      }
      // A datagram that could not be sent may give the machine work; and nobody tells of a socket
      // that was full only for a moment.
      guard hasFailed || ending == .full && !sockets.isBlocked else { return }
    }
    nextPull = now + Self.blockedPause
  }

  /// Pulls the machine until it has nothing more, or the kernel takes nothing more, or the limit is
  /// reached; returns how the last pull ended.
  private func pull(at now: Instant) -> UDPSocket.Writing {
    if outgoing == nil {
      return Self.pull(from: &machine, into: sockets, limit: Self.pullLimit, at: now)
    }
    pullOntoLink(at: now)
    return .nothing
  }

  private static func pull(
    from machine: inout Machine, into sockets: SocketSet, limit: Int, at now: Instant
  ) -> UDPSocket.Writing {
    for _ in 0..<limit {
      let writing = sockets.write { output in machine.nextTransmit(into: &output, at: now) }
      if writing != .written { return writing }
    }
    return .written
  }

  private func pullOntoLink(at now: Instant) {
    while true {
      buffer.removeAll(keepingCapacity: true)
      var transmit: Transmit?
      buffer.append(addingCapacity: UDPSocket.largestRun) { (output: inout OutputSpan<UInt8>) in
        transmit = machine.nextTransmit(into: &output, at: now)
      }
      guard let transmit else { break }
      offer(transmit, at: now)
    }
    while let (path, datagram) = outgoing?.nextDue(at: now) {
      sockets.append(datagram.span, to: path)
    }
  }

  /// Puts what is in the buffer on the emulated link, each datagram by itself.
  private func offer(_ transmit: Transmit, at now: Instant) {
    let size = max(1, transmit.segmentSize ?? buffer.count)
    for start in stride(from: 0, to: buffer.count, by: size) {
      let datagram = Array(buffer[start..<min(start + size, buffer.count)])
      outgoing?.offer(
        (path: transmit.path, datagram: datagram), size: datagram.count,
        peer: transmit.path.remote, at: now)
    }
  }

  /// Returns whether the machine was told of failures.
  @discardableResult
  private func flush(at now: Instant) -> Bool {
    var hasFailed = false
    sockets.flush { socket, needsWritable in
      // The descriptor is registered, and there is no other outcome.
      try? loop.setInterest(
        needsWritable ? [.readable, .writable] : .readable, of: socket.fileDescriptor)
    } tell: { failure in
      hasFailed = true
      machine.didFailToSend(
        size: failure.size, on: failure.path, error: failure.error.sendFailure, at: now)
    }
    return hasFailed
  }

  // MARK: Receiving

  /// Takes in what is there. Returns how many datagrams that were.
  @discardableResult
  func receive(from socket: UDPSocket, attempts: Int = 1) -> Int {
    let now = loop.now
    do throws(SystemError) {
      if incoming != nil { return try receiveOntoLink(from: socket, at: now) }
      return try Self.receive(from: socket, attempts, into: &machine, at: now)
    } catch {
      giveUp(socket.fileDescriptor, for: error)
      sockets.remove(socket)
      return 0
    }
  }

  private static func receive(
    from socket: UDPSocket, _ attempts: Int, into machine: inout Machine, at now: Instant
  ) throws(SystemError) -> Int {
    var count = 0
    // What is left over is told again in the next round.
    _ = try socket.receive(attempts: attempts) { datagram, arrival in
      machine.receive(datagram, arrival: arrival, at: now)
      count += 1
    }
    return count
  }

  private func receiveOntoLink(
    from socket: UDPSocket, at now: Instant
  ) throws(SystemError) -> Int {
    var count = 0
    _ = try socket.receive { datagram, arrival in
      incoming?.offer(
        (arrival: arrival, datagram: datagram.copy(0..<datagram.count)), size: datagram.count,
        peer: arrival.path.remote, at: now)
      count += 1
    }
    return count
  }
}
