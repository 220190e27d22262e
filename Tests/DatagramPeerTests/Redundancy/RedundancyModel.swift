import Primitives

@testable import DatagramPeer

/// A sender of small messages, a path that loses, and a receiver that delivers in order: just
/// enough of the protocol to see what a policy of redundancy is worth and what it costs.
///
/// Left out: congestion, reordering, the estimate of the round-trip time (it is known).
struct RedundancyModel {
  enum Loss {
    case none
    /// Each packet for itself, both ways.
    case independent(Double)
    /// All lost for exponentially distributed times of 50 ms, and clear for 450 ms, on average.
    case bursts
  }

  struct Setting {
    var policy: Redundancy
    var copies = EarlyCopies.none
    var loss: Loss
    var interval = Interval(nanoseconds: 16_666_667)
    /// One way, with what the machines take: an acknowledgement comes just too late for the third
    /// message after its own.
    var delay = Interval.microseconds(25_150)
    var payload = 64
    var messages = 900
    /// Messages sent before this time meet no loss, and are not counted until half a second later.
    var lossFrom = Interval.milliseconds(2_500)
    var countFrom = Interval.seconds(3)
  }

  struct Result {
    /// From the intended time of sending to delivery, in milliseconds.
    var latencies: [Double] = []
    var bytes = 0
    var messages = 0

    var bytesPerMessage: Double { Double(bytes) / Double(messages) }

    /// Sorts; `share` of the latencies are not above the result.
    func percentile(_ share: Double) -> Double {
      let sorted = latencies.sorted()
      return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }
  }

  private struct Packet {
    var sentAt: Instant
    var messages: [Int]
    var arrivedAt: Instant?
    var isAcknowledged = false
    var isLost = false
  }

  private enum Event {
    case message(Int)
    case copy([Int], left: Int, spacing: Interval)
    case packet(Int)
    case acknowledgement(Instant)
    case acknowledgementTimer
    case lossTimer
    case probeTimer(sentCount: Int)
  }

  private let setting: Setting
  private var generator: SplitMix64
  private var controller: RedundancyController
  private var agenda: [(time: Instant, event: Event)] = []
  private var now = Instant.zero
  private var badTimes: [Range<Int64>] = []

  private var packets: [Packet] = []
  private var firstOpenPacket = 0
  private var largestAcknowledged = -1
  private var messageAcknowledged: [Bool]
  private var firstSends: [Int] = []
  private var probes = 0
  private var received: [Bool]
  private var nextDelivery = 0
  private var acknowledgementDue: Instant?
  private var result = Result()

  init(_ setting: Setting, seed: UInt64) {
    self.setting = setting
    generator = SplitMix64(seed: seed)
    controller = RedundancyController(setting.policy, copies: setting.copies)
    messageAcknowledged = Array(repeating: false, count: setting.messages)
    received = Array(repeating: false, count: setting.messages)
  }

  static func run(_ setting: Setting, seeds: Range<UInt64>) -> Result {
    var sum = Result()
    for seed in seeds {
      var model = RedundancyModel(setting, seed: seed)
      let result = model.run()
      sum.latencies += result.latencies
      sum.bytes += result.bytes
      sum.messages += result.messages
    }
    return sum
  }

  private mutating func run() -> Result {
    let end = sendTime(setting.messages) + .seconds(20)
    if case .bursts = setting.loss { drawBursts(until: end) }
    schedule(.message(0), at: sendTime(0))
    while nextDelivery < setting.messages, let next = agenda.popLast(), next.time < end {
      now = next.time
      handle(next.event)
    }
    return result
  }

  // MARK: Sender

  private mutating func handle(_ event: Event) {
    switch event {
    case .message(let index):
      if index + 1 < setting.messages { schedule(.message(index + 1), at: sendTime(index + 1)) }
      firstSends.append(index)
      let plan = controller.plan(
        freshBytes: setting.payload + 7, room: 1_187, isLimited: false,
        roundTrip: setting.delay * 2, at: now)
      send(rides(plan, upTo: index) + [index])
      if plan.copies.count > 0 {
        schedule(
          .copy([index], left: plan.copies.count, spacing: plan.copies.spacing),
          at: now + plan.copies.spacing)
      }
    case .copy(let messages, let left, let spacing):
      if messages.contains(where: { !messageAcknowledged[$0] }) { send(messages) }
      if left > 1 { schedule(.copy(messages, left: left - 1, spacing: spacing), at: now + spacing) }
    case .packet(let number): arrive(number)
    case .acknowledgement(let time): acknowledge(time)
    case .acknowledgementTimer:
      if let due = acknowledgementDue, due <= now { sendAcknowledgement() }
    case .lossTimer: detectLosses()
    case .probeTimer(let sentCount): probe(sentCount)
    }
  }

  private func rides(_ plan: RedundancyController.Plan, upTo index: Int) -> [Int] {
    guard plan.sends > 0 else { return [] }
    let first = plan.sends > index ? 0 : index - plan.sends
    var rides: [Int] = []
    var room = plan.byteBudget
    for message in first..<index where !messageAcknowledged[message] {
      let isNeighbour = rides.last == message - 1
      let cost = setting.payload + 2 + (isNeighbour ? 0 : 6)
      guard cost <= room else { break }
      room -= cost
      rides.append(message)
    }
    return rides
  }

  private mutating func send(_ messages: [Int]) {
    var size = 28 + 12
    for (place, message) in messages.enumerated() {
      let startsChunk = place == 0 || messages[place - 1] != message - 1
      size += setting.payload + 2 + (startsChunk ? 6 : 0)
    }
    // The new message is a chunk of its own, behind those that ride.
    if messages.count > 1, messages[messages.count - 2] == messages[messages.count - 1] - 1 {
      size += 6
    }
    count(size)
    packets.append(Packet(sentAt: now, messages: messages))
    if !isLost() { schedule(.packet(packets.count - 1), at: now + setting.delay) }
    let timeout = (setting.delay * 2 + .milliseconds(2)) * Int64(1 << max(0, min(probes, 6) - 1))
    schedule(.probeTimer(sentCount: packets.count), at: now + min(timeout, .seconds(1)))
  }

  private mutating func acknowledge(_ time: Instant) {
    var isNews = false
    for number in firstOpenPacket..<packets.count where !packets[number].isAcknowledged {
      guard let arrived = packets[number].arrivedAt, arrived <= time else { continue }
      packets[number].isAcknowledged = true
      isNews = true
      largestAcknowledged = max(largestAcknowledged, number)
      for message in packets[number].messages { messageAcknowledged[message] = true }
      if !packets[number].isLost { controller.note(sentAt: packets[number].sentAt, isLost: false) }
    }
    if isNews { probes = 0 }
    detectLosses()
  }

  private mutating func detectLosses() {
    let patience = setting.delay * 2 * 9 / 8
    var again: [Int] = []
    var timer: Instant?
    if firstOpenPacket < largestAcknowledged {
      for number in firstOpenPacket..<largestAcknowledged
      where !packets[number].isAcknowledged && !packets[number].isLost {
        if number + 3 <= largestAcknowledged || packets[number].sentAt + patience <= now {
          packets[number].isLost = true
          controller.note(sentAt: packets[number].sentAt, isLost: true)
          again += packets[number].messages.filter { !messageAcknowledged[$0] }
        } else {
          timer = Instant.earlier(timer, packets[number].sentAt + patience)
        }
      }
    }
    while firstOpenPacket < packets.count,
      packets[firstOpenPacket].isAcknowledged || packets[firstOpenPacket].isLost
    {
      firstOpenPacket += 1
    }
    if let timer { schedule(.lossTimer, at: timer) }
    if !again.isEmpty { send(Array(Set(again)).sorted()) }
  }

  private mutating func probe(_ sentCount: Int) {
    // Only the timer of the latest packet counts.
    guard sentCount == packets.count else { return }
    let open = messageAcknowledged.indices.filter {
      $0 < firstSends.count && !messageAcknowledged[$0]
    }
    guard !open.isEmpty else { return }
    probes += 1
    send(Array(open.prefix(12)))
  }

  // MARK: Receiver

  private mutating func arrive(_ number: Int) {
    packets[number].arrivedAt = now
    var isNews = false
    for message in packets[number].messages where !received[message] {
      received[message] = true
      isNews = true
    }
    while nextDelivery < setting.messages, received[nextDelivery] {
      let intended = sendTime(nextDelivery)
      if intended - .zero >= setting.countFrom {
        result.latencies.append((now - intended).milliseconds)
        result.messages += 1
      }
      nextDelivery += 1
    }
    if isNews {
      sendAcknowledgement()
    } else if acknowledgementDue == nil {
      acknowledgementDue = now + min(.milliseconds(25), setting.delay * 2)
      schedule(.acknowledgementTimer, at: now + min(.milliseconds(25), setting.delay * 2))
    }
  }

  private mutating func sendAcknowledgement() {
    acknowledgementDue = nil
    count(47)
    if !isLost() { schedule(.acknowledgement(now), at: now + setting.delay) }
  }

  // MARK: Path and time

  private func sendTime(_ message: Int) -> Instant { .zero + setting.interval * Int64(message) }

  private mutating func count(_ bytes: Int) {
    if now - .zero >= setting.countFrom { result.bytes += bytes }
  }

  private mutating func isLost() -> Bool {
    guard now - .zero >= setting.lossFrom else { return false }
    switch setting.loss {
    case .none: return false
    case .independent(let rate): return generator.unitInterval() < rate
    case .bursts: return badTimes.contains { $0.contains(now.nanoseconds) }
    }
  }

  private mutating func drawBursts(until end: Instant) {
    var time = 0.0
    while time < Double(end.nanoseconds) {
      time += exponential(mean: 450e6)
      let start = time
      time += exponential(mean: 50e6)
      badTimes.append(Int64(start)..<Int64(time) + 1)
    }
  }

  private mutating func exponential(mean: Double) -> Double {
    // Halving the interval until it is small needs no logarithm: -ln(u) by its binary digits.
    var total = 0.0
    var unit = 1 - generator.unitInterval()
    while unit < 0.5 {
      unit *= 2
      total += 0.693_147_180_559_945_3
    }
    let x = (1 - unit) / (1 + unit)
    var power = x
    var term = 1.0
    for _ in 0..<20 {
      total += 2 * power / term
      power *= x * x
      term += 2
    }
    return mean * total
  }

  private mutating func schedule(_ event: Event, at time: Instant) {
    // Latest first, so that the next is taken from the end; among equals the older goes first.
    agenda.insert((time, event), at: insertionIndex(time))
  }

  private func insertionIndex(_ time: Instant) -> Int {
    var low = 0
    var high = agenda.count
    while low < high {
      let middle = (low + high) / 2
      if agenda[middle].time > time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
