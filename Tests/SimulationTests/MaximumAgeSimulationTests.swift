import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// Messages that are worth nothing after a while.
struct MaximumAgeSimulationTests {
  private static let age = Interval.milliseconds(200)

  private func givenUp(_ lan: EndpointLAN, _ host: HostID) -> [MessageID] {
    lan.events(at: host).compactMap {
      if case .givenUp(let id, _, .tooOld) = $0 { return id }
      return nil
    }
  }

  private func acknowledged(_ lan: EndpointLAN, _ host: HostID) -> [MessageID] {
    lan.events(at: host).compactMap {
      if case .acknowledged(let id, _) = $0 { return id }
      return nil
    }
  }

  private func gaps(_ lan: EndpointLAN, _ host: HostID) -> [Gap] {
    lan.events(at: host).compactMap {
      if case .gap(let gap) = $0 { return gap }
      return nil
    }
  }

  @Test(arguments: [Delivery.ordered, .reliable])
  func `one that does not get through in time is a gap, and the next ones arrive`(
    delivery: Delivery
  ) throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    let before = try lan.send(0, from: sender, SendOptions(delivery: delivery)).get()
    lan.network.run(for: .milliseconds(300))
    lan.network.partition([sender])
    let options = SendOptions(delivery: delivery, maximumAge: Self.age)
    let old = try (1...3).map { try lan.send($0, from: sender, options).get().id }
    lan.network.run(for: .milliseconds(199))
    #expect(givenUp(lan, sender).isEmpty)
    lan.network.run(for: .milliseconds(1))
    #expect(givenUp(lan, sender) == old)
    let after = try lan.send(4, from: sender, SendOptions(delivery: delivery)).get()
    lan.network.heal()
    lan.network.run(for: .seconds(5))
    #expect(lan.arrivals(at: receiver).map(\.number) == [0, 4])
    #expect(acknowledged(lan, sender) == [before.id, after.id])
    let told = gaps(lan, receiver)
    #expect(told.map(\.missing) == [1..<4] && told.map(\.delivery) == [delivery])
    #expect(givenUp(lan, sender) == old, "each has one last word")
    lan.check("")
  }

  @Test
  func `one that arrives in time is not given up`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair(
      impairment: Impairment(loss: 0.1, delay: .milliseconds(10)))
    for number in 0..<100 {
      lan.send(number, from: sender, SendOptions(maximumAge: .seconds(5)))
      lan.network.run(for: .milliseconds(10))
    }
    lan.network.run(for: .seconds(10))
    #expect(lan.arrivals(at: receiver).map(\.number) == Array(0..<100))
    #expect(givenUp(lan, sender).isEmpty && gaps(lan, receiver).isEmpty)
  }

  @Test
  func `one that was never sent is given up too, and the stream goes on behind it`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    lan.setReceiving(false, channel: 0, at: receiver)
    // The window is full, so that nothing of the others leaves.
    lan.send(0..<300, size: 1_000, channels: [0], from: sender)
    lan.network.run(for: .seconds(2))
    let unsent = lan.inspect(sender) { $0.sending.streams[0].unsentBytes } ?? 0
    #expect(unsent > 10_000)
    let old = try (300..<310).map {
      try lan.send($0, size: 1_000, from: sender, SendOptions(maximumAge: Self.age)).get().id
    }
    lan.network.run(for: Self.age)
    #expect(givenUp(lan, sender) == old)
    lan.send(310, from: sender, SendOptions())
    lan.setReceiving(true, channel: 0, at: receiver)
    lan.network.run(for: .seconds(5))
    #expect(lan.arrivals(at: receiver).map(\.number) == Array(0..<300) + [310])
    #expect(gaps(lan, receiver).map(\.missing) == [300..<310])
  }

  @Test
  func `a large one is given up while it is under way, and its memory goes back`() throws {
    let (lan, sender, receiver) = try EndpointLAN.pair()
    let large = try lan.send(
      0, size: 16 << 20, from: sender, SendOptions(maximumAge: Self.age)
    ).get()
    lan.network.run(for: Self.age)
    #expect(givenUp(lan, sender) == [large.id])
    // What was given up keeps its place in the queue until the receiver knows.
    lan.network.run(for: .milliseconds(100))
    lan.send(1, from: sender, SendOptions())
    lan.network.run(for: .seconds(10))
    #expect(lan.arrivals(at: receiver).map(\.number) == [1])
    #expect(gaps(lan, receiver).map(\.missing) == [0..<1])
    #expect(lan.inspect(sender) { $0.heldBytes } == 0)
    lan.network.run(for: .seconds(10))
    #expect(lan.inspect(receiver) { $0.receiving.bufferedBytes } == 0)
  }

  @Test(arguments: Seeds.some(4))
  func `under loss each one either arrives or is a gap`(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "MaximumAgeSimulationTests")
    var configuration = DatagramConfiguration()
    configuration.redundancy = .none
    let (lan, sender, receiver) = try EndpointLAN.pair(seed: seed, configuration: configuration)
    lan.network.impairment = Impairment(loss: 0.4, delay: .milliseconds(20))
    for number in 0..<300 {
      lan.send(number, from: sender, SendOptions(maximumAge: .milliseconds(60)))
      lan.network.run(for: .milliseconds(8))
    }
    lan.network.run(for: .seconds(20))
    let arrived = lan.arrivals(at: receiver).map(\.number)
    let missing = gaps(lan, receiver).flatMap { $0.missing.map { Int($0) } }
    #expect(arrived == arrived.sorted(), "\(replay)")
    #expect((arrived + missing).sorted() == Array(0..<300), "\(replay)")
    #expect(missing.count > 10 && arrived.count > 10, "\(missing.count) missing; \(replay)")
    lan.check(replay)
  }
}
