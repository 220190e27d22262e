import Glibc
import Primitives
import SocketDriver
import Testing

extension EventLoop {
  /// Runs here until it is stopped; a loop that is not is stopped by its test's patience.
  func runUntilStopped(
    location: SourceLocation = #_sourceLocation, tick: (Instant) -> Instant? = { _ in nil }
  ) {
    let limit = SystemClock.now() + .milliseconds(Int64(patience))
    run { now in
      if now >= limit {
        Issue.record("the loop was not stopped", sourceLocation: location)
        handle.stop()
        return nil
      }
      return Instant.earlier(limit, tick(now))
    }
  }
}

extension SocketTests {
  @Suite struct EventLoops {
    @Test func submittedWorkRunsInOrderOnTheLoopsThread() throws {
      let loop = try EventLoop()
      let handle = loop.handle
      let seen = Locked<[Int]>([])
      #expect(!handle.isCurrent)
      try EventLoop.startThread(name: "submitter") {
        for number in 0..<1_000 {
          handle.submit {
            seen.withLock { $0.append(handle.isCurrent ? number : -1) }
            if number == 999 { handle.stop() }
          }
        }
      }
      loop.runUntilStopped()
      #expect(seen.withLock { $0 } == Array(0..<1_000))
      #expect(!handle.isCurrent)
    }

    @Test func submittingWakesALoopThatSleeps() throws {
      let loop = try EventLoop()
      let handle = loop.handle
      let pipe = try Pipe()
      defer { withExtendedLifetime(pipe) {} }
      let (reading, writing) = (pipe.reading, pipe.writing)
      // Each piece of work comes only after the one before has been done and the loop gone on.
      try EventLoop.startThread(name: "submitter") {
        for _ in 0..<20 {
          handle.submit { _ = withUnsafeBytes(of: UInt8(1)) { write(writing, $0.baseAddress, 1) } }
          var byte: UInt8 = 0
          _ = read(reading, &byte, 1)
        }
        handle.stop()
      }
      loop.runUntilStopped()
    }

    @Test func workIsAcceptedUntilTheLoopHasEnded() throws {
      let loop = try EventLoop()
      let handle = loop.handle
      let count = Locked(0)
      handle.submit { handle.stop() }
      handle.submit {
        let isAccepted = handle.submit { count.withLock { $0 += 1 } }
        #expect(isAccepted)
      }
      loop.runUntilStopped()
      #expect(count.withLock { $0 } == 1)
      let isAccepted = handle.submit { Issue.record("the loop has ended") }
      #expect(!isAccepted)
    }

    @Test func aDeadlineWakesTheLoop() throws {
      let loop = try EventLoop()
      let deadline = SystemClock.now() + .milliseconds(5)
      var ticks = 0
      loop.runUntilStopped { now in
        ticks += 1
        if now >= deadline { loop.handle.stop() }
        return deadline
      }
      #expect(SystemClock.now() >= deadline)
      // One at the start, one at the deadline; a few more where the system woke it for nothing.
      #expect((2...10).contains(ticks))
    }

    @Test func aLoopWithoutAnythingToDoSleeps() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      try loop.register(pipe.reading, for: .readable) { _ in
        _ = pipe.read()
        loop.handle.stop()
      }
      let (writing, marker) = (pipe.writing, Locked(false))
      try EventLoop.startThread(name: "writer") {
        // Long enough for a loop that polls to be caught at it, and for no other to notice.
        var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
        nanosleep(&pause, nil)
        marker.withLock { $0 = true }
        _ = withUnsafeBytes(of: UInt8(1)) { write(writing, $0.baseAddress, 1) }
      }
      var ticks = 0
      loop.runUntilStopped { _ in
        ticks += 1
        return nil
      }
      #expect(marker.withLock { $0 })
      #expect(ticks <= 10)
    }

    @Test func aWakeGoesInItsOrder() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      let order = Locked<[String]>([])
      try loop.register(pipe.reading, for: .readable) { _ in
        _ = pipe.read()
        order.withLock { $0.append("ready") }
        loop.handle.submit { order.withLock { $0.append("submitted") } }
      }
      pipe.write()
      loop.runUntilStopped { _ in
        let count = order.withLock { names in
          names.append("tick")
          return names.count
        }
        if count > 1 { loop.handle.stop() }
        return nil
      }
      #expect(order.withLock { $0 } == ["tick", "ready", "submitted", "tick"])
    }

    @Test func whatIsLeftUnreadIsToldAgain() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      var bytes: [UInt8?] = []
      try loop.register(pipe.reading, for: .readable) { _ in
        bytes.append(pipe.read())
        if bytes.count == 3 { loop.handle.stop() }
      }
      for byte in UInt8(1)...3 { pipe.write(byte) }
      loop.runUntilStopped()
      #expect(bytes == [1, 2, 3])
    }

    @Test func writabilityIsToldOnlyWhereAskedFor() throws {
      let loop = try EventLoop()
      let socket = try Loopback.socket()
      let handle = loop.handle
      var seen: [Readiness] = []
      try loop.register(socket.fileDescriptor, for: .readable) { readiness in
        seen.append(readiness)
        handle.stop()
      }
      // With interest in reading alone nothing is told, and the deadline comes.
      var deadline: Instant? = loop.now + .milliseconds(5)
      loop.runUntilStopped { now in
        guard let due = deadline, now >= due else { return deadline }
        #expect(seen.isEmpty)
        deadline = nil
        #expect(throws: Never.self) {
          try loop.setInterest([.readable, .writable], of: socket.fileDescriptor)
        }
        return nil
      }
      #expect(seen == [.writable])
    }
  }
}
