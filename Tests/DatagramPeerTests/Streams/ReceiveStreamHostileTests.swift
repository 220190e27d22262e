import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Frames that no honest sender sends: nothing may trap, and nothing may grow.
struct ReceiveStreamHostileTests {
  private let peer = PeerID(rawValue: 1)

  private func stream(_ isOrdered: Bool, window: Int = 4_096) -> ReceiveStream {
    ReceiveStream(channel: 0, isOrdered: isOrdered, window: window)
  }

  @Test("Any frames at all, also after the peer broke the protocol, leave everything in bounds")
  func anything() {
    for seed in UInt64(0)..<150 {
      var random = SplitMix64(seed: seed)
      var stream = stream(seed % 2 == 0, window: 2_000)
      var inbox = EventBatch()
      let isGentle = Bool.random(using: &random)
      for _ in 0..<300 {
        let offset = UInt64.random(in: 0...2_100, using: &random) + stream.delivered / 2
        let mayDeliver = isGentle || Bool.random(using: &random)
        stream.isPaused = !isGentle && Int.random(in: 0..<4, using: &random) == 0
        if Int.random(in: 0..<5, using: &random) == 0 {
          let range = offset..<(offset + UInt64.random(in: 1...300, using: &random))
          let count = UInt64.random(in: 1...3, using: &random)
          if stream.verdict(onSkip: range, count: count) == .accept {
            _ = stream.skip(
              range, firstSequence: UInt64.random(in: 0..<20, using: &random), count: count,
              peer: peer, mayDeliver: mayDeliver, into: &inbox)
          }
        } else {
          let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
            UInt8.random(in: 0...(isGentle ? 30 : 80), using: &random)
          }
          if stream.verdict(offset: offset, count: bytes.count) == .accept {
            _ = stream.take(
              bytes.span, at: offset, startsMessage: Bool.random(using: &random), peer: peer,
              mayDeliver: mayDeliver, into: &inbox)
          }
        }
        if Bool.random(using: &random) {
          _ = stream.deliver(peer: peer, into: &inbox)
          _ = stream.windowUpdate(maximumWindow: 2_000, extra: 0, at: .zero, roundTrip: nil)
        }
        if Bool.random(using: &random) {
          _ = inbox.readMessages { _, _ in }
          while inbox.nextEvent() != nil {}
        }
        let isBounded = stream.bufferedBytes <= 8_192 && stream.delivered <= stream.highest
        #expect(isBounded, "seed \(seed)")
      }
    }
  }

  @Test("Chunks that are empty or reach beyond what an offset can be are malformed")
  func impossibleChunks() {
    let stream = stream(true)
    #expect(stream.verdict(offset: 0, count: 0) == .malformed)
    #expect(stream.verdict(offset: variableLengthMaximum, count: 1) == .malformed)
    #expect(stream.verdict(offset: .max, count: 2) == .malformed)
    #expect(stream.verdict(offset: 1 << 61, count: 1) == .beyondWindow)
    #expect(stream.verdict(offset: 4_000, count: 97) == .beyondWindow)
    #expect(stream.verdict(offset: 4_000, count: 96) == .accept)
  }

  @Test("Skips with more messages than bytes, with none, or too long for them are malformed")
  func impossibleSkips() {
    let stream = stream(false)
    #expect(stream.verdict(onSkip: 0..<4, count: 5) == .malformed)
    #expect(stream.verdict(onSkip: 0..<4, count: 0) == .malformed)
    #expect(stream.verdict(onSkip: 0..<0, count: 0) == .malformed)
    #expect(stream.verdict(onSkip: 0..<(40 << 20), count: 1) == .malformed)
    #expect(stream.verdict(onSkip: 0..<(1 << 62), count: 1 << 61) == .malformed)
    #expect(stream.verdict(onSkip: 0..<4, count: 4) == .accept)
    #expect(stream.verdict(onSkip: 5_000..<5_001, count: 1) == .beyondWindow)
  }

  @Test("A length of more than 16 MiB breaks the protocol, also while nothing is handed over")
  func longMessages() {
    for isOrdered in [true, false] {
      for mayDeliver in [true, false] {
        for length in [UInt64(16 << 20) + 1, variableLengthMaximum] {
          let bytes = [UInt8](capacity: 8) { $0.append(variableLength: length) }
          var stream = stream(isOrdered)
          var inbox = EventBatch()
          let taken = stream.take(
            bytes.span, at: 0, startsMessage: true, peer: peer, mayDeliver: mayDeliver,
            into: &inbox)
          #expect(taken.isMalformed, "\(length), ordered \(isOrdered), \(mayDeliver)")
        }
      }
    }
  }

  @Test("A length that comes in two parts is checked like any other")
  func longMessageInParts() {
    let bytes = [UInt8](capacity: 8) { $0.append(variableLength: variableLengthMaximum) }
    for isOrdered in [true, false] {
      var stream = stream(isOrdered)
      var inbox = EventBatch()
      let first = stream.take(
        bytes.span.extracting(0..<3), at: 0, startsMessage: true, peer: peer, mayDeliver: true,
        into: &inbox)
      let second = stream.take(
        bytes.span.extracting(3..<8), at: 3, startsMessage: false, peer: peer, mayDeliver: true,
        into: &inbox)
      #expect(first == .init(isNew: true))
      #expect(second.isMalformed)
    }
  }

  @Test("Single bytes with gaps between them are refused from a number on, except in the first gap")
  func manyPieces() {
    for isOrdered in [true, false] {
      var stream = stream(isOrdered, window: 1 << 20)
      var inbox = EventBatch()
      var accepted = 0
      for index in UInt64(1)..<4_000 {
        guard stream.verdict(offset: 10 * index, count: 1) == .accept else { continue }
        accepted += 1
        _ = stream.take(
          [5].span, at: 10 * index, startsMessage: true, peer: peer, mayDeliver: true,
          into: &inbox)
      }
      #expect(accepted <= ReceiveStream.maximumPieces)
      #expect(stream.received.count <= ReceiveStream.maximumPieces)
      #expect(stream.pending.count <= ReceiveStream.maximumPieces)
      #expect(stream.verdict(offset: 0, count: 1) == .accept)
    }
  }

  @Test("Skips with gaps between them are refused from a number on, except the next one")
  func manySkips() {
    for isOrdered in [true, false] {
      var stream = stream(isOrdered, window: 1 << 20)
      var inbox = EventBatch()
      for index in UInt64(1)..<4_000 {
        let range = (10 * index)..<(10 * index + 3)
        guard stream.verdict(onSkip: range, count: 1) == .accept else { continue }
        _ = stream.skip(
          range, firstSequence: 5 * index, count: 1, peer: peer, mayDeliver: false, into: &inbox)
      }
      #expect(stream.skips.count <= ReceiveStream.maximumPieces)
      #expect(stream.verdict(onSkip: 0..<3, count: 1) == .accept)
      #expect(inbox.isEmpty)
    }
  }

  @Test("A skip that cuts a message in two breaks the protocol")
  func skipWithinMessage() {
    for isOrdered in [true, false] {
      var stream = stream(isOrdered)
      var inbox = EventBatch()
      let first = stream.take(
        [10, 1, 2, 3].span, at: 0, startsMessage: true, peer: peer, mayDeliver: true,
        into: &inbox)
      let skip = stream.skip(
        6..<20, firstSequence: 1, count: 1, peer: peer, mayDeliver: true, into: &inbox)
      let rest = stream.take(
        [4, 5].span, at: 4, startsMessage: false, peer: peer, mayDeliver: true, into: &inbox)
      #expect(!first.isMalformed)
      #expect(skip.isMalformed || rest.isMalformed)
    }
  }

  @Test("A skip whose numbers do not fit breaks the protocol")
  func skipWithWrongNumbers() {
    var stream = stream(true)
    var inbox = EventBatch()
    let skip = stream.skip(
      0..<5, firstSequence: 3, count: 1, peer: peer, mayDeliver: true, into: &inbox)
    #expect(skip.isMalformed)
  }

  @Test("A flood of empty messages is counted, one byte each")
  func emptyMessages() {
    for isOrdered in [true, false] {
      var stream = stream(isOrdered)
      var inbox = EventBatch()
      let bytes = [UInt8](repeating: 0, count: 1_170)
      let taken = stream.take(
        bytes.span, at: 0, startsMessage: true, peer: peer, mayDeliver: true, into: &inbox)
      #expect(taken == .init(isNew: true, delivered: 1_170))
      #expect(inbox.count == 1_170)
      #expect(inbox.byteCount < 1_300)
      var empty = 0
      #expect(inbox.readMessages { bytes, _ in empty += bytes.isEmpty ? 1 : 0 } == 1_170)
      #expect(empty == 1_170)
    }
  }
}
