import ChatTransport
import Primitives
import SocketDriver
import Testing
import UDPTransport

extension UDPTransportTests {
  /// Many messages at once from outside of the loop thread.
  @Suite struct RunSending {
    @Test func runsArriveInOrder() async throws {
      let (a, b) = try await Person.pair(at: Place())
      let peer = try await a.peer().id
      let payloads = (0..<2_000).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      var run = MessageRun()
      for start in stride(from: 0, to: 2_000, by: 64) {
        for payload in payloads[start..<min(start + 64, 2_000)] { run.append(payload) }
        try await a.transport.sendAll(&run, to: peer)
        #expect(run.count == 0)
      }
      #expect(await b.waitForMessages(2_000).map(\.payload) == payloads)
      #expect(a.transport.outboxDropped == 0)
      await a.close()
      await b.close()
    }

    @Test func aFullQueueIsWaitedFor() async throws {
      let (a, b) = try await Person.pair(at: Place()) {
        $0.datagram.sendQueueLimit = 8_192
        $0.outboxLimit = 4_096
      }
      let peer = try await a.peer().id
      let payloads = (0..<500).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 200) }
      var run = MessageRun()
      for payload in payloads { run.append(payload) }
      try await a.transport.sendAll(&run, to: peer)
      #expect(await b.waitForMessages(500).map(\.payload) == payloads)
      await a.close()
      await b.close()
    }

    @Test func aThreadMaySendAndBeBlocked() async throws {
      let (a, b) = try await Person.pair(at: Place()) { $0.outboxLimit = 4_096 }
      let peer = try await a.peer().id
      let transport = a.transport
      try EventLoop.startThread(name: "sender") {
        var run = MessageRun()
        for number in 0..<500 {
          run.append([UInt8](repeating: UInt8(number & 0xFF), count: 100))
          while !run.isEmpty {
            let taken = try? transport.send(&run, to: peer)
            if taken == 0 { transport.blockUntilRoom(for: peer) }
            guard taken != nil else {
              Issue.record("the transport has not ended")
              return
            }
          }
        }
      }
      let expected = (0..<500).map { [UInt8](repeating: UInt8($0 & 0xFF), count: 100) }
      #expect(await b.waitForMessages(500).map(\.payload) == expected)
      await a.close()
      await b.close()
    }

    @Test func theEndIsAnError() async throws {
      let person = try Person(try Place().configuration())
      await person.close()
      var run = MessageRun()
      run.append([1])
      do {
        _ = try person.transport.send(&run, to: PeerID(rawValue: 1))
        Issue.record("it has ended")
      } catch {
        #expect(error == .closed)
      }
      #expect(run.count == 1)
    }
  }
}
