import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct ReceiveWindowTests {
  private let peer = PeerID(rawValue: 1)

  private func update(
    _ stream: inout ReceiveStream, maximum: Int = 1 << 20, extra: Int = 0, at now: Instant = .zero,
    roundTrip: Interval? = nil
  ) -> ReceiveStream.WindowUpdate {
    stream.windowUpdate(maximumWindow: maximum, extra: extra, at: now, roundTrip: roundTrip)
  }

  /// Takes a message of `size` bytes as far as the window lets it, with updates of the window in
  /// between. Returns what kept it from being whole, or `none`.
  private func send(
    _ size: Int, to stream: inout ReceiveStream, _ inbox: inout EventBatch, maximum: Int, extra: Int
  ) -> ReceiveStream.WindowUpdate {
    let prefix = [UInt8](capacity: 8) { $0.append(variableLength: UInt64(size)) }
    _ = update(&stream, maximum: maximum, extra: extra)
    let start = stream.delivered
    let end = start + UInt64(prefix.count + size)
    let part = [UInt8](repeating: 7, count: 20_000)
    _ = stream.take(
      prefix.span, at: start, startsMessage: true, peer: peer, mayDeliver: true, into: &inbox)
    var offset = start + UInt64(prefix.count)
    while offset < end {
      let count = min(part.count, Int(min(stream.limit, end) - offset))
      if count == 0 {
        let update = update(&stream, maximum: maximum, extra: extra)
        guard case .limit = update else { return update }
        continue
      }
      _ = stream.take(
        part.span.extracting(0..<count), at: offset, startsMessage: false, peer: peer,
        mayDeliver: true, into: &inbox)
      offset += UInt64(count)
    }
    return .none
  }

  @Test("The limit moves when half of the window was handed over, not before")
  func half() {
    var stream = ReceiveStream(channel: 0, isOrdered: true, window: 1_000)
    var inbox = EventBatch()
    let bytes = [UInt8](repeating: 0, count: 500)
    _ = stream.take(
      bytes.span.extracting(0..<499), at: 0, startsMessage: true, peer: peer, mayDeliver: true,
      into: &inbox)
    #expect(update(&stream) == .none)
    _ = stream.take(
      bytes.span.extracting(0..<1), at: 499, startsMessage: true, peer: peer, mayDeliver: true,
      into: &inbox)
    #expect(update(&stream) == .limit(1_500))
    #expect(update(&stream) == .none)
  }

  @Test("A user who does not read stops the sender; when he reads the window is renewed")
  func slowReader() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 1_000)
      var inbox = EventBatch()
      let bytes = [UInt8](repeating: 0, count: 1_000)
      _ = stream.take(
        bytes.span, at: 0, startsMessage: true, peer: peer, mayDeliver: false, into: &inbox)
      #expect(update(&stream) == .none)
      #expect(stream.verdict(offset: 1_000, count: 1) == .beyondWindow)
      #expect(stream.deliver(peer: peer, into: &inbox).delivered == 1_000)
      #expect(update(&stream) == .limit(3_000))
    }
  }

  @Test("The window doubles while half of it is used within two round trips")
  func growth() {
    var window = ReceiveWindow(size: 1_000)
    let roundTrip = Interval.milliseconds(10)
    func at(_ time: Int64) -> Instant { .zero + .milliseconds(time) }
    func move(_ delivered: UInt64, _ time: Int64) -> UInt64? {
      window.move(
        delivered: delivered, highest: delivered, maximum: 3_000, at: at(time),
        roundTrip: roundTrip)
    }
    #expect(move(500, 0) == 1_500)
    #expect(move(1_000, 30) == 2_000)
    #expect(move(1_500, 40) == 3_500)
    #expect(move(2_500, 45) == 5_500)
    #expect(window.size == 3_000)
  }

  @Test("A message of 16 MiB gets through a window of 1 MiB where there is that much to spare")
  func largestMessage() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 256 << 10)
      var inbox = EventBatch()
      for _ in 0..<2 {
        let outcome = send(
          16 << 20, to: &stream, &inbox, maximum: 1 << 20, extra: 15 << 20 + 4)
        #expect(outcome == .none)
        var size = 0
        #expect(inbox.readMessages { bytes, _ in size = bytes.count } == 1)
        #expect(size == 16 << 20)
      }
      #expect(stream.window.size <= 1 << 20)
      #expect(stream.bufferedBytes <= 2 << 20)
    }
  }

  @Test("Where a message can never be granted, that is told with how much is missing")
  func tooLarge() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 4_096)
      var inbox = EventBatch()
      let outcome = send(100_000, to: &stream, &inbox, maximum: 10_000, extra: 20_000)
      #expect(outcome == .tooSmall(missing: 70_004))
      #expect(update(&stream, maximum: 10_000, extra: 90_004) == .limit(100_004))
    }
  }

  @Test("A message larger than the window that was never sent can be given up")
  func skipBeyondWindow() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 1_000)
      var inbox = EventBatch()
      #expect(stream.verdict(onSkip: 0..<50_000, count: 1) == .accept)
      _ = stream.skip(
        0..<50_000, firstSequence: 0, count: 1, peer: peer, mayDeliver: true, into: &inbox)
      #expect(stream.delivered == 50_000)
      #expect(update(&stream, maximum: 1_000) == .limit(51_000))
      #expect(stream.bufferedBytes == 0)
    }
  }

  @Test("Memory for what came out of order can be had back, and what is kept survives that")
  func release() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 1 << 18)
      var inbox = EventBatch()
      func take(_ bytes: [UInt8], at offset: UInt64) {
        _ = stream.take(
          bytes.span, at: offset, startsMessage: true, peer: peer, mayDeliver: true, into: &inbox)
      }
      take([3, 1, 2], at: 200_000)
      #expect(stream.bufferedBytes >= 200_000)
      take([UInt8](repeating: 0, count: 200_000), at: 0)
      stream.releaseStorage()
      #expect(stream.bufferedBytes <= 256)
      _ = stream.take(
        [3].span, at: 200_003, startsMessage: false, peer: peer, mayDeliver: true, into: &inbox)
      var last: [UInt8] = []
      _ = inbox.readMessages { bytes, _ in last = bytes.copy(0..<bytes.count) }
      #expect(last == [1, 2, 3])
      stream.releaseStorage()
      #expect(stream.bufferedBytes == 0)
    }
  }

  @Test("After a large message the memory for it does not stay, though there is always a rest")
  func shrinking() {
    for isOrdered in [true, false] {
      var stream = ReceiveStream(channel: 0, isOrdered: isOrdered, window: 4_096)
      var inbox = EventBatch()
      _ = send(500_000, to: &stream, &inbox, maximum: 4_096, extra: 1 << 20)
      _ = update(&stream, maximum: 4_096)
      _ = stream.take(
        [9, 1].span, at: stream.delivered, startsMessage: true, peer: peer, mayDeliver: true,
        into: &inbox)
      #expect(stream.bufferedBytes <= 8_192)
    }
  }
}
