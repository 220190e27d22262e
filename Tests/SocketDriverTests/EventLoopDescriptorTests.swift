import Glibc
import Primitives
import SocketDriver
import Testing

extension SocketTests {
  @Suite struct EventLoopDescriptors {
    /// Runs the loop for a few milliseconds, and returns how many rounds it made of them.
    private func rounds(of loop: EventLoop) -> Int {
      let end = SystemClock.now() + .milliseconds(5)
      var count = 0
      loop.runUntilStopped { now in
        count += 1
        if now >= end { loop.handle.stop() }
        return end
      }
      return count
    }

    @Test func aHandlerMayUnregisterItself() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      var calls = 0
      try loop.register(pipe.reading, for: .readable) { _ in
        calls += 1
        loop.unregister(pipe.reading)
      }
      pipe.write()
      #expect(rounds(of: loop) <= 10)
      #expect(calls == 1)
    }

    @Test func aHandlerMayUnregisterAnotherWhoseEventIsFetchedAlready() throws {
      let loop = try EventLoop()
      let pipes = try [Pipe(), Pipe()]
      var calls = 0
      for (own, other) in [(pipes[0], pipes[1]), (pipes[1], pipes[0])] {
        try loop.register(own.reading, for: .readable) { _ in
          calls += 1
          _ = own.read()
          loop.unregister(other.reading)
        }
        own.write()
      }
      _ = rounds(of: loop)
      #expect(calls == 1)
    }

    @Test func anEventOfAnEarlierOwnerOfTheNumberIsNotTold() throws {
      let loop = try EventLoop()
      let pipes = try [Pipe(), Pipe()]
      let silent = try Pipe()
      for (own, other) in [(pipes[0], pipes[1]), (pipes[1], pipes[0])] {
        try loop.register(own.reading, for: .readable) { _ in
          _ = own.read()
          loop.unregister(other.reading)
          // The number of the other, whose event is fetched already, now means a silent pipe.
          #expect(dup2(silent.reading, other.reading) == other.reading)
          #expect(throws: Never.self) {
            try loop.register(other.reading, for: .readable) { _ in
              Issue.record("the event was that of the earlier owner")
              loop.unregister(other.reading)
            }
          }
        }
        own.write()
      }
      _ = rounds(of: loop)
    }

    @Test func theEndOfAPipeIsToldAndAskedAboutNoMore() throws {
      let loop = try EventLoop()
      let pipe = try Pipe()
      var seen: [Readiness] = []
      try loop.register(pipe.reading, for: .readable) { readiness in
        seen.append(readiness)
        #expect(throws: Never.self) { try loop.setInterest([], of: pipe.reading) }
      }
      pipe.hangUp()
      // The kernel tells a hang-up whether asked or not: the loop must not spin on it.
      #expect(rounds(of: loop) <= 10)
      #expect(seen == [.closed])
    }

    @Test func aRegularFileIsAlwaysReadableUntilNobodyAsks() throws {
      let loop = try EventLoop()
      var template = Array("/tmp/patter-loop-XXXXXX".utf8CString)
      let file = mkstemp(&template)
      try #require(file >= 0)
      defer { close(file) }
      unlink(template)
      #expect(write(file, "abc", 3) == 3)
      #expect(lseek(file, 0, SEEK_SET) == 0)

      var bytes: [UInt8] = []
      try loop.register(file, for: .readable) { readiness in
        #expect(readiness == .readable)
        var byte: UInt8 = 0
        if read(file, &byte, 1) == 1 {
          bytes.append(byte)
        } else {
          #expect(throws: Never.self) { try loop.setInterest([], of: file) }
        }
      }
      #expect(rounds(of: loop) <= 14)
      #expect(bytes == Array("abc".utf8))
    }

    @Test func aRegularFileMayBeAskedForAgainAndUnregistered() throws {
      let loop = try EventLoop()
      let null = open("/dev/null", O_RDONLY)
      try #require(null >= 0)
      defer { close(null) }
      var calls = 0
      try loop.register(null, for: []) { _ in
        calls += 1
        if calls == 3 { loop.unregister(null) }
      }
      try loop.setInterest(.readable, of: null)
      try loop.setInterest([], of: null)
      try loop.setInterest(.readable, of: null)
      #expect(rounds(of: loop) <= 13)
      #expect(calls == 3)
    }

    @Test func aClosedDescriptorIsAnError() throws {
      let loop = try EventLoop()
      let error = #expect(throws: SystemError.self) {
        try loop.register(1_000_000, for: .readable) { _ in }
      }
      #expect(error?.code == EBADF)
      // It was not registered, so that another try is one.
      #expect(throws: SystemError.self) {
        try loop.register(1_000_000, for: .readable) { _ in }
      }
    }

    @Test func datagramsAreReadByTheLoop() throws {
      let loop = try EventLoop()
      let (sender, receiver) = (try Loopback.socket(), try Loopback.socket())
      var received: [Int] = []
      try loop.register(receiver.fileDescriptor, for: .readable) { _ in
        #expect(throws: Never.self) {
          _ = try receiver.receive { bytes, _ in received.append(bytes.count) }
        }
        if received.count == 300 { loop.handle.stop() }
      }
      sender.send((0..<300).map { [UInt8](repeating: 0, count: $0) }, to: receiver.localAddress)
      loop.runUntilStopped()
      #expect(received == Array(0..<300))
    }
  }
}
