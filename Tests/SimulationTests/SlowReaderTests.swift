import ChatTransport
import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// A reader that does not read, and a sender that does not stop.
struct SlowReaderTests {
  private static func makeLAN(
    _ configuration: DatagramConfiguration, seed: UInt64 = 1
  ) throws -> (EndpointLAN, HostID, HostID) {
    let lan = EndpointLAN(
      seed: seed, impairment: Impairment(loss: 0.02, delay: .milliseconds(5)))
    let (sender, reader) = (lan.add(1, configuration), lan.add(2, configuration))
    try lan.join(sender, reader)
    return (lan, sender, reader)
  }

  private func setReading(_ isReading: Bool, _ lan: EndpointLAN, _ host: HostID) {
    lan.network.withMachine(host) { machine, _ in machine.isRead = isReading }
  }

  private func waiting(_ lan: EndpointLAN, _ host: HostID) -> Int {
    lan.with(host) { endpoint, _ in endpoint.workspace.inbox.count }
  }

  @Test(arguments: Seeds.some(3), [Delivery.ordered, .reliable])
  func `events wait up to a bound, the sender is held up, and nothing is lost`(
    seed: UInt64, delivery: Delivery
  ) throws {
    let replay = Seeds.replay(seed, "SlowReaderTests")
    var configuration = DatagramConfiguration()
    configuration.maximumWaitingEvents = 100
    configuration.sendQueueLimit = 40_000
    let (lan, sender, reader) = try Self.makeLAN(configuration, seed: seed)
    setReading(false, lan, reader)
    var accepted = 0
    var isBlocked = false
    let peer = try #require(lan.joins(at: sender).first)
    for number in 0..<2_000 {
      let bytes = DeliveryChecker.payload(number, size: 400)
      let result = lan.with(sender) { endpoint, now in
        Result { () throws(SendError) in
          try endpoint.send(
            bytes.span, to: .peer(peer), SendOptions(delivery: delivery), at: now)
        }
      }
      guard case .success = result else {
        #expect(result == .failure(.wouldBlock(peer)), "\(replay)")
        isBlocked = true
        break
      }
      accepted += 1
      lan.network.run(for: .milliseconds(2))
    }
    #expect(isBlocked && accepted > 100, "\(replay)")
    #expect(lan.events(at: sender).contains(.pressure(peer)), "\(replay)")
    // Two minutes, far longer than the idle timeout: being slow is not being gone.
    lan.network.run(for: .seconds(120))
    #expect(lan.leaves(at: sender) == [], "\(replay)")
    // What one packet holds can be taken in beyond the bound, and no further one.
    #expect((100...(100 + 1_200 / 400)).contains(waiting(lan, reader)))
    setReading(true, lan, reader)
    lan.network.run(for: .seconds(10))
    let numbers = lan.payloads(at: reader).map { DeliveryChecker.number(in: $0) }
    let isComplete = (delivery == .ordered ? numbers : numbers.sorted()) == Array(0..<accepted)
    #expect(isComplete, "\(numbers.count) of \(accepted); \(replay)")
    #expect(lan.events(at: sender).contains(.relief(peer)), "\(replay)")
    lan.check(replay)
  }

  @Test
  func `who does not read makes no new acquaintances, and does later`() {
    var configuration = DatagramConfiguration()
    configuration.maximumWaitingEvents = 10
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(2)))
    let reader = lan.add(1, configuration)
    setReading(false, lan, reader)
    let others = (2...40).map { lan.add($0) }
    for round in 0..<5 {
      for other in others {
        lan.connect(other, to: reader)
        if round % 2 == 1, let peer = lan.joins(at: other).last {
          lan.with(other) { endpoint, now in endpoint.disconnect(peer, at: now) }
        }
      }
      lan.network.run(for: .seconds(5))
    }
    // A few were on their way in when the bound was reached.
    #expect((10...100).contains(waiting(lan, reader)))
    setReading(true, lan, reader)
    lan.network.run(for: .seconds(20))
    #expect(lan.with(reader) { endpoint, _ in endpoint.peerCount } == 39)
    lan.check("")
  }

  @Test
  func `one who does not read still hears goodbye, and reads it last`() throws {
    var configuration = DatagramConfiguration()
    configuration.maximumWaitingEvents = 10
    let (lan, sender, reader) = try Self.makeLAN(configuration)
    setReading(false, lan, reader)
    for number in UInt8(0)..<100 { lan.send([number], from: sender) }
    lan.network.run(for: .seconds(5))
    lan.with(sender) { endpoint, now in endpoint.close(at: now) }
    lan.network.run(for: .seconds(5))
    #expect(lan.events(at: sender).last == .closed(.closedByUs))
    setReading(true, lan, reader)
    #expect(lan.leaves(at: reader) == [.closedByThem])
    let got = lan.payloads(at: reader)
    #expect(got.count >= 10 && got == (0..<UInt8(got.count)).map { [$0] })
    // Every message is accounted for at the sender: those that were read, and those that were not.
    let ends = lan.events(at: sender).count { event in
      switch event {
      case .acknowledged, .givenUp: true
      default: false
      }
    }
    #expect(ends == 100)
    lan.check("")
  }

  @Test("A full queue says so, and says when it is short again", arguments: [2_000, 3_000, 50_000])
  func fullQueue(limit: Int) throws {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = limit
    let (lan, sender, reader) = try Self.makeLAN(configuration)
    let peer = try #require(lan.joins(at: sender).first)
    lan.network.partition([reader])
    var accepted = 0
    func send() -> Result<SendReceipt, SendError> {
      lan.with(sender) { endpoint, now in
        Result { () throws(SendError) in
          try endpoint.send(
            DeliveryChecker.payload(accepted, size: 1_100).span, to: .peer(peer), SendOptions(),
            at: now)
        }
      }
    }
    while case .success = send() { accepted += 1 }
    #expect(send() == .failure(.wouldBlock(peer)))
    let held = lan.with(sender) { endpoint, _ in endpoint.statistics(of: peer)?.sendQueueBytes }
    #expect(try #require(held) <= limit)
    #expect(lan.events(at: sender).count { $0 == .pressure(peer) } == 1)
    lan.network.heal()
    lan.network.run(for: .seconds(5))
    #expect(lan.events(at: sender).count { $0 == .relief(peer) } == 1)
    #expect(lan.payloads(at: reader).map { DeliveryChecker.number(in: $0) } == Array(0..<accepted))
    guard case .success = send() else {
      Issue.record("there is no room after the relief")
      return
    }
    lan.check("")
  }

  @Test
  func `a message for everyone is given up for the one whose queue is full, and him alone`() throws
  {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = 10_000
    let (lan, sender, slow) = try Self.makeLAN(configuration)
    let quick = lan.add(3)
    lan.connect(quick, to: sender)
    lan.network.run(for: .seconds(1))
    let peers = lan.joins(at: sender)
    #expect(peers.count == 2)
    lan.network.setImpairment(Impairment(loss: 1), from: sender, to: slow)
    var refused: [MessageID] = []
    for number in 0..<60 {
      let receipt = try lan.send(DeliveryChecker.payload(number, size: 300), from: sender).get()
      if receipt.recipients == 1 { refused.append(receipt.id) }
      lan.network.run(for: .milliseconds(50))
    }
    let told = lan.events(at: sender).compactMap { event -> MessageID? in
      guard case .givenUp(let id, let peer, .queueFull) = event, peer == peers[0] else {
        return nil
      }
      return id
    }
    #expect(!refused.isEmpty && told == refused)
    #expect(lan.payloads(at: quick).map { DeliveryChecker.number(in: $0) } == Array(0..<60))
    lan.network.setImpairment(nil, from: sender, to: slow)
    lan.network.run(for: .seconds(5))
    // Numbers are given to what was accepted, so that what arrives has no hole in it.
    #expect(lan.payloads(at: slow).count == 60 - refused.count)
    lan.check("")
  }

  @Test(arguments: [Delivery.ordered, .reliable, .unreliable])
  func `one who never reads holds what is allowed, at both ends, and the others go on`(
    delivery: Delivery
  ) throws {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = 100_000
    configuration.maximumWaitingBytes = 50_000
    configuration.maximumStreamWindow = 256 << 10
    configuration.maximumConnectionWindow = 512 << 10
    let (lan, sender, reader) = try Self.makeLAN(configuration)
    let other = lan.add(3, configuration)
    lan.connect(other, to: sender)
    lan.network.run(for: .seconds(1))
    let peer = try #require(lan.joins(at: sender).first)
    setReading(false, lan, reader)
    var (queued, waiting, buffered) = (0, 0, 0)
    for number in 0..<1_000 {
      lan.send(DeliveryChecker.payload(number, size: 1_000), from: sender, delivery)
      lan.network.run(for: .milliseconds(20))
      queued = max(
        queued,
        lan.with(sender) { endpoint, _ in endpoint.statistics(of: peer)?.sendQueueBytes ?? 0 })
      lan.with(reader) { endpoint, _ in
        waiting = max(waiting, endpoint.workspace.inbox.byteCount)
        buffered = max(buffered, endpoint.workspace.bufferedBytes)
      }
    }
    lan.network.run(for: .seconds(5))
    #expect(queued <= 100_000)
    // What one datagram holds may come on top; a ring is doubled where it is too small.
    #expect((50_000...(50_000 + 1_500)).contains(waiting))
    #expect(buffered <= 2 * (256 << 10))
    #expect(lan.leaves(at: sender) == [])
    let got = lan.payloads(at: other).map { DeliveryChecker.number(in: $0) }
    let isComplete =
      delivery.isReliable ? got.sorted() == Array(0..<1_000) : got.count > 900
    #expect(isComplete, "\(got.count) messages")
    lan.check("")
  }
}
