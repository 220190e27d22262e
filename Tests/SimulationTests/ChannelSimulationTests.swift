import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Channels between two endpoints: none waits for another.
struct ChannelSimulationTests {
  private static let delay = Interval.milliseconds(10)

  @Test
  func `small messages pass a bulk transfer on another channel`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    lan.send(0..<3_000, size: 1_000, channels: [1], from: sender)
    var sentAt: [Instant] = []
    for number in 0..<10 {
      sentAt.append(lan.network.now)
      lan.send(number, from: sender, SendOptions(channel: 2))
      lan.network.run(for: .milliseconds(7))
    }
    let bulkCount = lan.arrivals(at: receiver).count { $0.channel == 1 }
    #expect(bulkCount > 0 && bulkCount < 2_000, "the bulk is under way all the time")
    lan.network.run(for: .seconds(5))
    let small = lan.arrivals(at: receiver).filter { $0.channel == 2 }
    #expect(small.map(\.number) == Array(0..<10))
    // At the worst the window is full, and the next acknowledgement is a round trip away.
    let waits = zip(small, sentAt).map { $0.time - $1 }
    #expect(waits.allSatisfy { $0 <= Self.delay * 3 }, "\(waits)")
  }

  @Test
  func `two bulk transfers take turns`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    // Less than a window each, so that nothing but their turns decides.
    lan.send(0..<250, size: 1_000, channels: [1, 2], from: sender)
    lan.network.run(for: .seconds(10))
    var counts: [UInt8: Int] = [:]
    var largestLead = 0
    for arrival in lan.arrivals(at: receiver) {
      counts[arrival.channel, default: 0] += 1
      largestLead = max(largestLead, abs(counts[1, default: 0] - counts[2, default: 0]))
    }
    #expect(counts == [1: 250, 2: 250])
    // A datagram has one whole message and parts of two more.
    #expect(largestLead <= 4)
  }

  @Test(arguments: [Delivery.ordered, .reliable])
  func `what is lost on one channel holds up no other`(delivery: Delivery) throws {
    var configuration = DatagramConfiguration()
    configuration.redundancy = .none
    let (lan, sender, receiver) = try EndpointLAN.pair(configuration: configuration)
    lan.losing(from: sender, to: receiver) {
      lan.send(0, from: sender, SendOptions(channel: 1, delivery: delivery))
    }
    let sentAt = lan.network.now
    for channel: UInt8 in 1...3 {
      lan.send(1, from: sender, SendOptions(channel: channel, delivery: delivery))
    }
    lan.network.run(for: .seconds(2))
    let arrivals = lan.arrivals(at: receiver)
    let atOnce = arrivals.filter { $0.time == sentAt + Self.delay }
    #expect(atOnce.map(\.channel) == (delivery == .ordered ? [2, 3] : [1, 2, 3]))
    let first = arrivals.filter { $0.channel == 1 }.map(\.number)
    #expect(first == (delivery == .ordered ? [0, 1] : [1, 0]))
  }

  @Test(arguments: Seeds.some(2))
  func `all 256 channels work in both reliable kinds at once`(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "ChannelSimulationTests")
    let (lan, sender, receiver) = try EndpointLAN.pair(
      seed: seed, impairment: Impairment(loss: 0.1, delay: Self.delay))
    let channels = Array(UInt8.min...UInt8.max)
    for delivery in [Delivery.ordered, .reliable] {
      lan.send(0..<4, size: 300, channels: channels, from: sender, delivery)
    }
    lan.network.run(for: .seconds(20))
    var ordered: [UInt8: [Int]] = [:]
    var reliable: [UInt8: [Int]] = [:]
    for event in lan.events(at: receiver) {
      guard case .message(let message) = event else { continue }
      let number = DeliveryChecker.number(in: message.payload)
      if message.delivery == .ordered {
        ordered[message.channel, default: []].append(number)
      } else {
        reliable[message.channel, default: []].append(number)
      }
    }
    let isComplete = channels.allSatisfy {
      ordered[$0] == [0, 1, 2, 3] && reliable[$0]?.sorted() == [0, 1, 2, 3]
    }
    #expect(isComplete, "\(replay)")
    lan.check(replay)
  }
}
