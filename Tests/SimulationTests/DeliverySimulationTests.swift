import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives
import Testing

/// What the four kinds of delivery promise, on networks that lose, double and overtake.
struct DeliverySimulationTests {
  struct Case: CustomTestStringConvertible {
    var loss: Double
    var seed: UInt64
    var testDescription: String { "loss \(loss), seed \(seed)" }
  }

  static let cases = [0, 0.05, 0.2, 0.4].flatMap { loss in
    Seeds.some(3).map { Case(loss: loss, seed: $0) }
  }

  @Test(arguments: cases)
  func `each kind of delivery keeps its promise`(_ test: Case) throws {
    let replay = Seeds.replay(test.seed, "DeliverySimulationTests")
    let pair = Pair(
      seed: test.seed,
      impairment: Impairment(
        loss: test.loss, delay: .milliseconds(20), jitter: .milliseconds(5), duplicate: 0.05,
        reorder: 0.1))
    try #require(pair.connect(), "no connection; \(replay)")
    let checker = DeliveryChecker()
    for number in 0..<200 {
      for delivery in Delivery.allCases {
        for channel in UInt8(0)...1 {
          let payload = DeliveryChecker.payload(number, size: (number * 37) % 300)
          pair.send(payload, from: pair.first, delivery, channel: channel)
          pair.send(payload, from: pair.second, delivery, channel: channel)
        }
      }
      pair.network.run(for: .milliseconds(7))
    }
    pair.network.run(for: .seconds(30))
    for host in [pair.first, pair.second] {
      checker.check(pair.messages(at: host), sent: 200, channels: 2, replay: replay)
      #expect(pair.peer(of: host) != nil, "the connection was lost; \(replay)")
      let lost = pair.network.withMachine(host) { endpoint, _ in
        endpoint.statistics.datagramsLost ?? 0
      }
      #expect(test.loss == 0 || lost > 0, "nothing was lost in this run; \(replay)")
    }
  }

  @Test(arguments: Seeds.some(4))
  func `every reliable message is acknowledged once`(seed: UInt64) throws {
    let replay = Seeds.replay(seed, "DeliverySimulationTests")
    let pair = Pair(seed: seed, impairment: Impairment(loss: 0.3, delay: .milliseconds(10)))
    try #require(pair.connect(), "no connection; \(replay)")
    var sent: Set<MessageID> = []
    for number in 0..<100 {
      let receipt = try pair.send([UInt8(number)], from: pair.first, .reliable).get()
      sent.insert(receipt.id)
    }
    pair.network.run(for: .seconds(20))
    let acknowledged = (pair.events[pair.first] ?? []).compactMap { event -> MessageID? in
      guard case .acknowledged(let id, _) = event else { return nil }
      return id
    }
    #expect(acknowledged.count == 100, "\(replay)")
    #expect(Set(acknowledged) == sent, "\(replay)")
  }

  @Test
  func `the same seed gives the same run`() {
    func run() -> [CapturedDatagram] {
      let pair = Pair(
        seed: 11,
        impairment: Impairment(loss: 0.2, delay: .milliseconds(20), duplicate: 0.1, reorder: 0.1))
      var captured: [CapturedDatagram] = []
      pair.network.tap = { captured.append($0) }
      _ = pair.connect()
      for number in 0..<50 {
        pair.send([UInt8(number)], from: pair.first, .ordered)
        pair.network.run(for: .milliseconds(10))
      }
      pair.network.run(for: .seconds(5))
      return captured
    }
    let runs = (run(), run())
    #expect(runs.0.count > 100)
    let isSame = runs.0 == runs.1
    #expect(isSame)
  }

  @Test
  func `a minute at 100 messages a second and 20 % loss keeps memory flat`() throws {
    let pair = Pair(seed: 5, impairment: Impairment(loss: 0.2, delay: .milliseconds(5)))
    try #require(pair.connect())
    var largestQueue = 0
    for number in 0..<6_000 {
      pair.send(DeliveryChecker.payload(number, size: 40), from: pair.first, .ordered)
      pair.network.run(for: .milliseconds(10))
      let queue = pair.network.withMachine(pair.first) { endpoint, _ in
        pair.peer(of: pair.first).flatMap { endpoint.statistics(of: $0)?.sendQueueBytes } ?? 0
      }
      largestQueue = max(largestQueue, queue)
    }
    pair.network.run(for: .seconds(5))
    let numbers = pair.messages(at: pair.second).map { DeliveryChecker.number(in: $0.payload) }
    let isComplete = numbers == Array(0..<6_000)
    #expect(isComplete, "\(numbers.count) of 6,000, or out of order")
    #expect(largestQueue < 20_000, "the queue grew to \(largestQueue) bytes")
    let left = pair.network.withMachine(pair.first) { endpoint, _ in
      pair.peer(of: pair.first).flatMap { endpoint.statistics(of: $0)?.sendQueueBytes }
    }
    #expect(left == 0)
  }
}
