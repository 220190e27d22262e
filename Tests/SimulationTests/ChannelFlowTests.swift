import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Users who read some channels and others not, or nothing for a while.
struct ChannelFlowTests {
  @Test(arguments: [Delivery.ordered, .reliable])
  func `a channel that is not read holds a window's worth, and the others go on`(
    delivery: Delivery
  ) throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    lan.setReceiving(false, channel: 1, at: receiver)
    lan.send(0..<1_500, size: 1_000, channels: [1], from: sender, delivery)
    lan.network.run(for: .seconds(5))
    for number in 0..<2_000 {
      lan.send(number, size: 1_000, from: sender, SendOptions(channel: 2, delivery: delivery))
      lan.network.run(for: .milliseconds(2))
    }
    lan.network.run(for: .seconds(120))
    let arrivals = lan.arrivals(at: receiver)
    #expect(arrivals.allSatisfy { $0.channel == 2 } && arrivals.count == 2_000)
    // What the receiver holds is its window, in a ring of a power of two; the rest is the sender's.
    let buffered = lan.inspect(receiver) { $0.receiving.bufferedBytes } ?? 0
    #expect(buffered <= 2 * ProtocolLimits.streamWindow)
    let held = lan.inspect(sender) { $0.heldBytes } ?? 0
    let limit = lan.with(sender) { endpoint, _ in endpoint.configuration.sendQueueLimit }
    #expect(held > 1_000_000 && held <= limit)
    #expect(lan.leaves(at: sender).isEmpty && lan.leaves(at: receiver).isEmpty)

    lan.setReceiving(true, channel: 1, at: receiver)
    lan.network.run(for: .seconds(10))
    let rest = lan.arrivals(at: receiver).filter { $0.channel == 1 }.map(\.number)
    let isWhole = (delivery == .ordered ? rest : rest.sorted()) == Array(0..<1_500)
    #expect(isWhole, "\(rest.count) of 1,500")
    #expect(lan.inspect(sender) { $0.heldBytes } == 0)
    lan.check("")
  }

  @Test
  func `a channel may be held and read again many times, and nothing is lost or doubled`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(loss: 0.05, delay: .milliseconds(5)))
    for number in 0..<600 {
      if number % 40 == 0 { lan.setReceiving(number % 80 == 0, channel: 1, at: receiver) }
      if number % 30 == 0 { lan.setReceiving(number % 60 == 0, channel: 2, at: receiver) }
      lan.send(number, size: 700, from: sender, SendOptions(channel: UInt8(number % 3)))
      lan.network.run(for: .milliseconds(3))
    }
    for channel: UInt8 in 1...2 { lan.setReceiving(true, channel: channel, at: receiver) }
    lan.network.run(for: .seconds(5))
    for channel in 0..<3 {
      let numbers = lan.arrivals(at: receiver).filter { $0.channel == channel }.map(\.number)
      #expect(numbers == (0..<600).filter { $0 % 3 == channel }, "channel \(channel)")
    }
  }

  @Test
  func `a user who reads nothing holds the whole connection, and goes on where he stopped`() throws
  {
    var configuration = DatagramConfiguration()
    configuration.maximumWaitingBytes = 100_000
    configuration.maximumConnectionWindow = 1 << 20
    configuration.sendQueueLimit = 500_000
    let (lan, sender, receiver) = try EndpointLAN.pair(configuration: configuration)
    lan.network.withMachine(receiver) { machine, _ in machine.isRead = false }
    var accepted = 0
    for _ in 0..<3_000 {
      let options = SendOptions(channel: UInt8(accepted % 100))
      let result = lan.send(accepted, size: 1_000, from: sender, options)
      if case .success(let receipt) = result, receipt.recipients == 1 { accepted += 1 }
      lan.network.run(for: .milliseconds(1))
    }
    lan.network.run(for: .seconds(60))
    let waiting = lan.with(receiver) { endpoint, _ in endpoint.workspace.inbox.byteCount }
    let used = lan.inspect(receiver) { $0.receiving.used - $0.receiving.delivered } ?? 0
    #expect(waiting <= 100_000 + 2_000 && used <= 1 << 20)
    #expect((lan.inspect(sender) { $0.heldBytes } ?? 0) <= 500_000)
    #expect(accepted > 500 && accepted < 2_000)
    lan.network.withMachine(receiver) { machine, _ in machine.isRead = true }
    lan.network.run(for: .seconds(20))
    let numbers = lan.arrivals(at: receiver).map(\.number).sorted()
    let isWhole = numbers == Array(0..<accepted)
    #expect(isWhole, "\(numbers.count) of \(accepted)")
    lan.check("")
  }

  @Test
  func `one of the largest messages passes beside a channel that is not read`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(delay: .milliseconds(1)))
    lan.setReceiving(false, channel: 1, at: receiver)
    lan.send(0..<1_500, size: 1_000, channels: [1], from: sender)
    lan.network.run(for: .seconds(5))
    let size = 16 << 20
    #expect(throws: Never.self) {
      try lan.send(7, size: size, from: sender, SendOptions(channel: 2)).get()
    }
    lan.network.run(for: .seconds(60))
    #expect(lan.arrivals(at: receiver).map(\.number) == [7])
  }
}
