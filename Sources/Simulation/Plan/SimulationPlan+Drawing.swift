import ChatTransport
import DatagramPeer
import NetworkEmulator
import Primitives

extension SimulationPlan {
  /// - Parameter capabilities: what the transport can do. Larger messages are drawn as soon as
  ///   there are any.
  init(seed: UInt64, capabilities: TransportCapabilities) {
    self.seed = seed
    var draw = Draw(seed: seed, purpose: 1)
    hostCount = draw.chance(0.5) ? 2 : draw.integer(3...6)
    // In one run of ten nothing goes wrong; in the others each fault does as often as not, or
    // seldom.
    let likelihood = draw.element(of: [0, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.4, 0.5, 0.7])
    faults = []
    for kind in FaultKind.allCases where draw.chance(likelihood) { faults.insert(kind) }
    let isLong = draw.chance(0.15)
    duration = .milliseconds(Int64(draw.integer(isLong ? 15_000...40_000 : 500...8_000)))
    warmUp = draw.chance(0.7) ? .milliseconds(1_500) : .zero
    impairment = Impairment(delay: draw.microseconds(100...150_000))
    if faults.contains(.loss) {
      impairment.loss = draw.probability(upTo: draw.chance(0.3) ? 0.6 : 0.2)
    }
    if faults.contains(.duplication) { impairment.duplicate = draw.probability(upTo: 0.3) }
    if faults.contains(.reordering) { impairment.reorder = draw.probability(upTo: 0.3) }
    if faults.contains(.jitter) {
      impairment.jitter = .nanoseconds(
        impairment.delay.nanoseconds * Int64(draw.integer(1...10)) / 10)
    }
    corruption = faults.contains(.corruption) ? draw.probability(upTo: 0.1) : 0
    mtu = draw.element(of: [1_500, 1_500, 1_500, 1_280, 9_000, 65_535])
    namesAddresses = draw.chance(0.5)
    endpoint = DatagramConfiguration()
    if draw.chance(0.3) { endpoint.sendQueueLimit = draw.logarithmic(8_192...1 << 20) }
    if draw.chance(0.3) { endpoint.maximumWaitingEvents = draw.logarithmic(64...16_384) }
    drawTraffic(capabilities)
    drawFaults()
    let indexed = actions.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    actions = indexed.map(\.element)
  }

  // MARK: Traffic

  private mutating func drawTraffic(_ capabilities: TransportCapabilities) {
    var draw = Draw(seed: seed, purpose: 2)
    let largest = capabilities.maximumMessageSize
    var budget = draw.chance(0.03) ? 2 * largest : 0
    budget = max(budget, draw.logarithmic(16_384...2 << 20))
    let deliveries = Delivery.allCases.filter { _ in draw.chance(0.6) }
    let traffic = Traffic(
      // Each host has its share, however fast the others are.
      budget: budget / hostCount, maximumCount: 2_000 / hostCount, largest: largest,
      usualLargest: draw.element(of: [3, 64, 64, 300, 1_000]),
      seldomLarge: draw.element(of: [0, 0.01, 0.1]),
      deliveries: deliveries.isEmpty ? Delivery.allCases : deliveries,
      channelCount: draw.element(of: [1, 1, 4, capabilities.channelCount]),
      hasAges: capabilities.supportsMaximumAge && draw.chance(0.4),
      burstLikelihood: draw.element(of: [0, 0.05, 0.5]), pace: draw.logarithmic(1_000...300_000))
    for host in 0..<hostCount { drawTraffic(traffic, of: host, &draw) }
  }

  /// What is alike in all messages of a run.
  private struct Traffic {
    var budget: Int
    var maximumCount: Int
    var largest: Int
    var usualLargest: Int
    var seldomLarge: Double
    var deliveries: [Delivery]
    var channelCount: Int
    var hasAges: Bool
    var burstLikelihood: Double
    /// The longest time from one sending to the next, in microseconds.
    var pace: Int
  }

  /// The unreliable kinds carry no more than this, in bytes, whatever the others do.
  private static let largestUnreliable = 65_536

  private mutating func drawTraffic(_ traffic: Traffic, of host: Int, _ draw: inout Draw) {
    // Without a time to warm up some begin before anybody is there to hear.
    let latestStart = Int(duration.nanoseconds / 2_000)
    var time = beginning + .microseconds(Int64(draw.integer(0...latestStart)))
    var (bytes, count) = (0, 0)
    while time < end, bytes < traffic.budget, count < traffic.maximumCount {
      let isLarge = draw.chance(traffic.seldomLarge)
      var size =
        isLarge ? draw.logarithmic(1...traffic.largest) : draw.integer(0...traffic.usualLargest)
      var options = SendOptions(
        channel: UInt8(draw.integer(0...traffic.channelCount - 1)),
        delivery: draw.element(of: traffic.deliveries))
      if !options.delivery.isReliable { size = min(size, Self.largestUnreliable) }
      if traffic.hasAges, options.delivery.isReliable, draw.chance(0.3) {
        options.maximumAge = draw.microseconds(1_000...5_000_000)
      }
      let affordable = max(1, (traffic.budget - bytes) / max(1, size))
      let burst = draw.chance(traffic.burstLikelihood) ? draw.logarithmic(2...200) : 1
      let sending = Action.Sending(
        host: host, count: min(burst, affordable),
        peerDraw: draw.chance(0.8) ? draw.bits() : nil, size: min(size, traffic.budget - bytes),
        options: options)
      bytes += sending.size * sending.count
      count += 1
      actions.append(TimedAction(time: time, action: .send(sending)))
      time = time + draw.microseconds(1...traffic.pace)
    }
    payloadBytes += bytes
  }

  // MARK: Faults

  private mutating func drawFaults() {
    var draw = Draw(seed: seed, purpose: 3)
    for kind in FaultKind.allCases where faults.contains(kind) {
      let count = draw.logarithmic(1...(kind == .attacks || kind == .bursts ? 60 : 8))
      for _ in 0..<count {
        let time =
          beginning + .microseconds(Int64(draw.integer(0...Int(duration.nanoseconds / 1_000))))
        add(kind, at: time, &draw)
      }
    }
  }

  private mutating func add(_ kind: FaultKind, at time: Instant, _ draw: inout Draw) {
    let host = draw.integer(0...hostCount - 1)
    let other = (host + draw.integer(1...hostCount - 1)) % hostCount
    switch kind {
    case .loss, .duplication, .reordering, .jitter, .corruption: break
    case .bursts:
      let end = time + draw.microseconds(1_000...1_000_000)
      append(.silence(from: host, to: other, true), at: time)
      append(.silence(from: host, to: other, false), at: end)
    case .partitions:
      append(.partition((0..<hostCount).filter { _ in draw.chance(0.5) }), at: time)
      append(.heal, at: time + draw.microseconds(50_000...20_000_000))
    case .oneWayLinks:
      append(.silence(from: host, to: other, true), at: time)
      let end = time + draw.microseconds(500_000...20_000_000)
      append(.silence(from: host, to: other, false), at: end)
    case .suspensions:
      let longest = min(20_000_000, Int(duration.nanoseconds / 1_000))
      append(.suspend(host, draw.microseconds(10_000...longest)), at: time)
    case .clockJumps:
      append(.jumpClock(host, draw.microseconds(1_000...60_000_000)), at: time)
    case .restarts: append(.restart(host), at: time)
    case .departures:
      append(.close(host), at: time)
      append(.restart(host), at: time + draw.microseconds(1_000...5_000_000))
    case .addressChanges:
      append(draw.chance(0.7) ? .changePort(host) : .changeAddress(host), at: time)
    case .blackHoles:
      append(.blackHole(host, above: draw.integer(1_200...mtu - 28)), at: time)
      let end = time + draw.microseconds(100_000...10_000_000)
      append(.blackHole(host, above: nil), at: end)
    case .slowReaders:
      append(.read(host, false), at: time)
      append(.read(host, true), at: time + draw.microseconds(10_000...10_000_000))
    case .disconnections: append(.disconnect(host, draw: draw.bits()), at: time)
    case .attacks:
      append(
        .attack(
          Action.Attack(
            kind: draw.element(of: Action.Attack.Kind.allCases), host: host,
            count: draw.logarithmic(1...100), draw: draw.bits(),
            isFromVictim: draw.chance(0.6))), at: time)
    case .floods:
      append(.flood(host, count: draw.logarithmic(100...10_000), draw: draw.bits()), at: time)
    }
  }

  /// What would be done after the end of all faults is left out.
  private mutating func append(_ action: Action, at time: Instant) {
    guard time < end else { return }
    actions.append(TimedAction(time: time, action: action))
  }
}
