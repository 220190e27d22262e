import Primitives

@testable import DatagramPeer

/// Loss recovery with packets of 100 bytes, each of which carries ten bytes of stream 0 at ten
/// times its number.
struct LossRecoveryDriver {
  var recovery: LossRecovery
  /// What the last call found out.
  var outcome = RecoveryOutcome()
  var probes = 0

  init(
    sendingAt times: [Int64] = [], roundTrip: Interval? = .milliseconds(40),
    maximumProbeInterval: Interval = .seconds(1), seed: UInt64 = 1
  ) {
    recovery = LossRecovery(
      assumedRoundTrip: .milliseconds(100), maximumProbeInterval: maximumProbeInterval, seed: seed)
    if let roundTrip { recovery.measureHandshake(roundTrip) }
    for time in times { send(at: Self.ms(time)) }
  }

  static func ms(_ count: Int64) -> Instant { .zero + .milliseconds(count) }

  static func chunk(_ number: UInt64) -> SentChunk {
    SentChunk(stream: 0, start: number * 10, length: 10)
  }

  @discardableResult
  mutating func send(
    _ contents: PacketContents = .ackEliciting, at now: Instant, size: Int = 100,
    chunks: [SentChunk]? = nil, acknowledging largest: UInt64? = nil
  ) -> UInt64 {
    let number = recovery.takePacketNumber()
    let own = contents.contains(.ackEliciting) ? [Self.chunk(number)] : []
    recovery.didSend(
      number: number, at: now, size: size, contents: contents, chunks: chunks ?? own,
      largestAcknowledgementWritten: largest)
    return number
  }

  mutating func acknowledge(
    _ ranges: ClosedRange<UInt64>..., delay: Interval = .zero, at now: Instant
  ) {
    acknowledge(Acknowledgement(delay: delay, ranges: ranges), at: now)
  }

  mutating func acknowledge(_ frame: Acknowledgement, at now: Instant) {
    outcome.removeAll()
    recovery.acknowledge(frame, at: now, outcome: &outcome)
  }

  mutating func advance(to now: Instant) {
    outcome.removeAll()
    probes = recovery.advance(to: now, outcome: &outcome)
  }

  /// Numbers of the packets whose bytes are in `chunks`, which merging has put together.
  static func numbers(_ chunks: [SentChunk]) -> [UInt64] {
    chunks.flatMap { chunk in
      stride(from: chunk.start, to: chunk.range.upperBound, by: 10).map { $0 / 10 }
    }
  }

  var acknowledged: [UInt64] { Self.numbers(outcome.acknowledged) }
  var lost: [UInt64] { Self.numbers(outcome.lost) }
}
