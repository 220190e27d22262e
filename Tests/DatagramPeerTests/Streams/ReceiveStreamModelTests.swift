import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct ReceiveStreamModelTests {
  @Test("Whatever is lost, reordered, doubled, cut anew or given up: each message once and whole")
  func model() {
    for seed in UInt64(0)..<60 {
      for isOrdered in [true, false] {
        var run = ReceiveStreamRun(seed: seed, isOrdered: isOrdered)
        let failure = run.failure()
        #expect(failure == nil, "seed \(seed), ordered \(isOrdered): \(failure ?? "")")
      }
    }
  }
}

/// One stream from a model of a sender through a bad network to a `ReceiveStream`.
private struct ReceiveStreamRun {
  private var random: SplitMix64
  private var sender: StreamSenderModel
  private var stream: ReceiveStream
  private var inbox = EventBatch()
  private var flying: [StreamSenderModel.Frame] = []
  private var mayDeliver = true
  private var nextSequence: UInt64 = 0
  private var deliveries: [Int]
  private var gaps: [Int]
  private let peer = PeerID(rawValue: 7)
  private let loss: Double
  private let maximumWindow = 16 << 10
  private let extra = 100 << 10

  init(seed: UInt64, isOrdered: Bool) {
    random = SplitMix64(seed: seed)
    let window = 4 << 10
    stream = ReceiveStream(channel: 3, isOrdered: isOrdered, window: window)
    sender = StreamSenderModel(limit: UInt64(window), mergesSkips: isOrdered)
    let largest = [20, 300, 3_000, 30_000][Int(seed % 4)]
    for _ in 0..<(largest > 3_000 ? 12 : 150) {
      sender.append(size: Int.random(in: (isOrdered ? 0 : 4)...largest, using: &random))
    }
    deliveries = Array(repeating: 0, count: sender.payloads.count)
    gaps = deliveries
    loss = [0, 0.05, 0.3][Int(seed / 4 % 3)]
  }

  /// Runs to the end; what went wrong, if anything.
  mutating func failure() -> String? {
    var steps = 0
    while !sender.isDone || !flying.isEmpty || stream.delivered < sender.bounds.last ?? 0 {
      steps += 1
      if steps > 60_000 { return "no end: \(stream.delivered) of \(sender.bytes.count)" }
      if let failure = step(isCalm: steps > 20_000) { return failure }
    }
    mayDeliver = true
    _ = stream.deliver(peer: peer, into: &inbox)
    if let failure = read() { return failure }
    for index in deliveries.indices where deliveries[index] + gaps[index] != 1 {
      return "message \(index) came \(deliveries[index]) times, missing \(gaps[index]) times"
    }
    guard !stream.hasUndelivered, !stream.isIncomplete else { return "something is left" }
    stream.releaseStorage()
    return stream.bufferedBytes == 0 ? nil : "memory is left"
  }

  private mutating func step(isCalm: Bool) -> String? {
    if chance(0.02), !isCalm { sender.giveUp(Int.random(in: deliveries.indices, using: &random)) }
    if chance(0.05) || isCalm { mayDeliver = isCalm || Bool.random(using: &random) }
    if chance(0.02) || isCalm { stream.isPaused = !isCalm && Bool.random(using: &random) }
    if flying.count < 12, let frame = sender.frame(&random) { flying.append(frame) }
    if !flying.isEmpty, flying.count > 8 || chance(0.5) {
      let index = chance(0.5) ? 0 : Int.random(in: flying.indices, using: &random)
      let frame = flying[index]
      if !chance(0.1) { flying.remove(at: index) }
      if !chance(loss), let failure = arrive(frame) { return failure }
    }
    if mayDeliver, chance(0.3), stream.deliver(peer: peer, into: &inbox).isMalformed {
      return "deliver calls it malformed"
    }
    if chance(0.3) {
      if let failure = read() { return failure }
      let update = stream.windowUpdate(
        maximumWindow: maximumWindow, extra: extra, at: .zero, roundTrip: nil)
      if case .limit(let limit) = update { sender.limit = limit }
      if case .tooSmall = update { return "window too small" }
    }
    let held = Int(stream.limit - min(stream.limit, stream.delivered))
    let bound = max(4 * held, 2 * stream.window.size)
    return stream.bufferedBytes <= bound ? nil : "\(stream.bufferedBytes) bytes for \(held)"
  }

  private mutating func arrive(_ frame: StreamSenderModel.Frame) -> String? {
    let taken: ReceiveStream.Taken
    switch frame {
    case .chunk(let offset, let startsMessage, let bytes):
      switch stream.verdict(offset: offset, count: bytes.count) {
      case .accept: break
      case .beyondWindow: return "an honest chunk is refused"
      case .malformed: return "an honest chunk is malformed"
      }
      taken = stream.take(
        bytes.span, at: offset, startsMessage: startsMessage, peer: peer, mayDeliver: mayDeliver,
        into: &inbox)
    case .skip(let range, let first, let count):
      guard stream.verdict(onSkip: range, count: count) == .accept else { return "skip refused" }
      taken = stream.skip(
        range, firstSequence: first, count: count, peer: peer, mayDeliver: mayDeliver, into: &inbox)
    }
    if taken.isMalformed { return "an honest frame breaks the protocol: \(frame.range)" }
    let again = stream.holds(frame.range)
    if !again { return "what was taken is not held" }
    if !chance(loss) { sender.acknowledge(frame) }
    return nil
  }

  private mutating func read() -> String? {
    while let event = inbox.nextEvent() {
      switch event {
      case .message(let message):
        let payload = message.payload
        let index =
          if let sequence = message.sequence { Int(sequence) } else {
            (0..<4).reduce(0) { $0 | Int(payload[$1]) << (8 * $1) }
          }
        guard index < deliveries.count, payload == sender.payloads[index] else {
          return "message \(index) is not as it was sent"
        }
        deliveries[index] += 1
        if let failure = follow(UInt64(index)..<UInt64(index + 1)) { return failure }
      case .gap(let gap):
        for sequence in gap.missing { gaps[Int(sequence)] += 1 }
        if let failure = follow(gap.missing) { return failure }
      default: return "unexpected \(event)"
      }
    }
    return nil
  }

  private mutating func follow(_ sequences: Range<UInt64>) -> String? {
    guard stream.isOrdered else { return nil }
    guard sequences.lowerBound == nextSequence else {
      return "\(sequences) comes where \(nextSequence) should"
    }
    nextSequence = sequences.upperBound
    return nil
  }

  private mutating func chance(_ probability: Double) -> Bool {
    random.unitInterval() < probability
  }
}
