import Primitives
import SocketDriver
import Testing

extension SocketTests {
  @Suite struct Threads {
    private final class Counter {
      var count = 0
    }

    @Test @MainActor func aThreadMayBeStartedFromTheMainActor() async throws {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        #expect(throws: Never.self) {
          try EventLoop.startThread(name: "a name longer than fifteen bytes") {
            continuation.resume()
          }
        }
      }
    }

    @Test func aLoopAndItsSocketsGoOverToTheirThread() async throws {
      let received: [UInt8] = try await withCheckedThrowingContinuation { continuation in
        do {
          let loop = try EventLoop()
          let handle = loop.handle
          let socket = try Loopback.socket()
          let target = socket.localAddress
          try EventLoop.startThread(name: "loop") {
            var bytes: [UInt8] = []
            do {
              try loop.register(socket.fileDescriptor, for: .readable) { _ in
                _ = try? socket.receive { span, _ in bytes.append(span[0]) }
                if bytes.count == 2 { handle.stop() }
              }
            } catch {
              Issue.record(error)
            }
            loop.runUntilStopped()
            continuation.resume(returning: bytes)
          }
          try Loopback.socket().send([[5], [6]], to: target)
        } catch {
          continuation.resume(throwing: error)
        }
      }
      #expect(received == [5, 6])
    }

    @Test func aBoundValueIsOpenedByWorkOnTheLoop() throws {
      let loop = try EventLoop()
      let handle = loop.handle
      let bound = LoopBound(Counter(), on: handle)
      for _ in 0..<3 {
        handle.submit { bound.withValue { $0.count += 1 } }
      }
      handle.submit { bound.withValue { #expect($0.count == 3) } }
      handle.submit { handle.stop() }
      loop.runUntilStopped()
    }

    @Test func aBoundValueIsClosedToOtherThreads() async {
      await #expect(processExitsWith: .failure) {
        let loop = try EventLoop()
        LoopBound(0, on: loop.handle).withValue { $0 += 1 }
      }
    }

    @Test func aLockedValueIsSharedByThreads() async throws {
      let total = Locked(0)
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<1_000 { total.withLock { $0 += 1 } }
          }
        }
      }
      #expect(total.withLock { $0 } == 4_000)
    }

    @Test func theClockDoesNotGoBackwards() {
      let instants = (0..<1_000).map { _ in SystemClock.now() }
      #expect(instants == instants.sorted())
      #expect(instants[0] > .zero)
    }

    @Test func secretsDiffer() throws {
      #expect(try SystemRandom.secret() != SystemRandom.secret())
      #expect(try Set((0..<100).map { _ in try SystemRandom.uint64() }).count == 100)
    }
  }
}
