import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Messages of the largest sizes, over links that lose.
struct LargeMessageSimulationTests {
  static let lossy = Impairment(loss: 0.02, delay: .milliseconds(2), duplicate: 0.01, reorder: 0.01)

  @Test(arguments: [Delivery.ordered, .reliable])
  func `16 MiB arrive whole, and small messages behind them`(delivery: Delivery) throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(impairment: Self.lossy)
    let options = SendOptions(delivery: delivery)
    let size = ProtocolLimits.reliableMessageSize
    let receipt = try lan.send(1, size: size, from: sender, options).get()
    // The queue is more than full, and says so.
    #expect(lan.send(2, from: sender, options).map(\.recipients) == .success(0))
    lan.network.run(for: .seconds(30))
    lan.send(3, from: sender, options)
    lan.network.run(for: .seconds(2))
    let events = lan.events(at: receiver).compactMap { event -> ReceivedMessage? in
      if case .message(let message) = event { return message }
      return nil
    }
    #expect(events.count == 2)
    let isWhole = events.first?.payload == EndpointLAN.payload(1, size: size)
    #expect(isWhole, "\(events.first?.payload.count ?? 0) bytes")
    let isTold = lan.events(at: sender).contains { event in
      if case .acknowledged(receipt.id, _) = event { return true }
      return false
    }
    #expect(isTold)
    #expect((lan.statistics(at: sender)?.datagramsLost ?? 0) > 10)
    lan.check("")
  }

  @Test(arguments: [Delivery.unreliable, .sequenced])
  func `64 KiB of the other kinds arrive whole or not at all`(delivery: Delivery) throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(loss: 0.005, delay: .milliseconds(2)))
    let size = ProtocolLimits.unreliableMessageSize
    for number in 0..<100 {
      lan.send(number, size: size, from: sender, SendOptions(delivery: delivery))
      lan.network.run(for: .milliseconds(50))
    }
    lan.network.run(for: .seconds(5))
    let numbers = lan.arrivals(at: receiver).map(\.number)
    let isWhole = lan.payloads(at: receiver).enumerated().allSatisfy { place, payload in
      payload == EndpointLAN.payload(numbers[place], size: size)
    }
    #expect(isWhole && numbers == numbers.sorted())
    // Of about 55 fragments each, all must get through.
    #expect(numbers.count > 50 && numbers.count < 100, "\(numbers.count) of 100")
    let missing = lan.events(at: receiver).reduce(0) { sum, event in
      if case .gap(let gap) = event { return sum + gap.missing.count }
      return sum
    }
    let last = numbers.last ?? 0
    #expect(missing >= last + 1 - numbers.count)
    lan.check("")
  }

  @Test(arguments: Delivery.allCases)
  func `one byte more is refused, and nothing is sent`(delivery: Delivery) throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    let limit = delivery.isReliable ? 16 << 20 : 65_536
    let result = lan.send(1, size: limit + 1, from: sender, SendOptions(delivery: delivery))
    #expect(result == .failure(.tooLarge(size: limit + 1, limit: limit)))
    lan.network.run(for: .seconds(1))
    #expect(lan.arrivals(at: receiver).isEmpty && lan.inspect(sender) { $0.heldBytes } == 0)
  }

  @Test
  func `two of the largest at once, on two channels, both arrive`() throws {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = 64 << 20
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(delay: .milliseconds(1)), configuration: configuration)
    lan.send(5..<6, size: 16 << 20, channels: [1, 2], from: sender)
    lan.network.run(for: .seconds(60))
    #expect(lan.arrivals(at: receiver).map(\.channel).sorted() == [1, 2])
  }
}
