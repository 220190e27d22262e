import ChatTransport
import Primitives
import SocketDriver
import Testing

@testable import UDPTransport

struct EventForwarderTests {
  let events = TransportEvents {}
  let loop: EventLoop
  let outbox: Outbox
  let network = InMemoryNetwork()
  var sender: InMemoryTransport
  var receiver: InMemoryTransport

  init() throws {
    loop = try EventLoop()
    outbox = Outbox(loop: loop.handle)
    let limits = InMemoryQueueLimits(messages: TransportEvents.limit / 2)
    sender = network.join(limits: limits)
    receiver = network.join(limits: limits)
  }

  func forwarder() -> EventForwarder {
    EventForwarder(events: events, outbox: OutboxReader(outbox), loop: loop.handle)
  }

  @Test mutating func aSlowReaderIsWaitedFor() async throws {
    var forwarder = forwarder()
    for _ in 0..<3 {
      for _ in 0..<(TransportEvents.limit / 2) { try sender.say() }
      forwarder.run(over: &receiver, at: .zero)
    }
    // The third part found the reader at its limit.
    #expect(await events.nextBatch().count == TransportEvents.limit)
    forwarder.run(over: &receiver, at: .zero)
    // One was left from the second part, and of the third the network had room for the rest.
    #expect(await events.nextBatch().count == TransportEvents.limit / 2)
  }

  @Test mutating func aReaderIsNotWaitedForAtTheEnd() async throws {
    var forwarder = forwarder()
    for _ in 0..<3 {
      for _ in 0..<(TransportEvents.limit / 2) { try sender.say() }
      forwarder.run(over: &receiver, at: .zero)
    }
    receiver.close(at: .zero)
    forwarder.isClosing = true
    forwarder.run(over: &receiver, at: .zero)
    let batch = await events.nextBatch()
    #expect(batch.last == .closed(.closedByUs))
    // The forwarder stopped it, or this would not return.
    loop.run()
  }
}

extension InMemoryTransport {
  fileprivate mutating func say() throws {
    _ = try send([1].span, to: .everyone, SendOptions(), at: .zero)
  }
}
