import ChatTransport
import Primitives
import Testing

/// What every transport can do without doing anything for it.
struct RunTests {
  private static func run(_ payloads: [[UInt8]]) -> [UInt8] {
    payloads.flatMap { [UInt8($0.count)] + $0 }
  }

  @Test func aRunIsSentMessageByMessage() throws {
    let network = InMemoryNetwork()
    var (sender, receiver) = (network.join(), network.join())
    let payloads: [[UInt8]] = [[1], [], [2, 3]]
    let count = try sender.send(
      run: Self.run(payloads).span, count: 3, to: .everyone, SendOptions(), at: .zero)
    #expect(count == 3)
    var received: [[UInt8]] = []
    while let event = receiver.nextEvent() {
      if case .message(let message) = event { received.append(message.payload) }
    }
    #expect(received == payloads)
  }

  @Test func whatIsWrongWithTheFirstIsThrown() {
    let network = InMemoryNetwork()
    var sender = network.join()
    let nobody = PeerID(rawValue: 77)
    #expect(throws: SendError.noSuchPeer(nobody)) {
      try sender.send(
        run: Self.run([[1]]).span, count: 1, to: .peer(nobody), SendOptions(), at: .zero)
    }
  }

  @Test func aTransportNeedNotLend() {
    let network = InMemoryNetwork()
    var transport = network.join()
    #expect(transport.readMessages { _, _ in } == 0)
  }
}
