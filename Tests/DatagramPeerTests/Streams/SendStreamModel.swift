import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// A stream beside a model of it that has a flag for each byte and finds everything by looking at
/// all of them.
struct SendStreamModel {
  struct Message {
    var range: Range<Int>
    var id: UInt64
    var reports: Bool
    var expires: Instant?
    var isGivenUp = false
    var isTold = false
  }

  var stream: SendStream
  var receiver = NaiveStreamReceiver()
  var messages: [Message] = []
  var bytes: [UInt8] = []
  var isAcknowledged: [Bool] = []
  var isLost: [Bool] = []
  var sentEnd = 0
  /// What was written and has no fate yet.
  var outstanding: [StreamFrame] = []
  /// What the packet being written carries.
  var packet: [Range<Int>] = []
  var faults: [String] = []
  private var nextID: UInt64 = 1_000

  init(isOrdered: Bool, limit: UInt64) {
    stream = SendStream(channel: 1, isOrdered: isOrdered, limit: limit)
  }

  /// All below is acknowledged.
  private(set) var unacknowledged = 0
  /// How many bytes are marked as lost.
  private var lostCount = 0

  mutating func check(_ isRight: Bool, _ what: @autoclosure () -> String) {
    if !isRight { faults.append(what()) }
  }

  // MARK: - Operations

  mutating func append(size: Int, reports: Bool, expires: Instant?) {
    nextID += 1
    let payload = (0..<size).map { UInt8(truncatingIfNeeded: bytes.count &* 31 + $0) }
    add(payload, reports: reports, expires: expires)
    stream.append(
      payload.span, id: MessageID(rawValue: nextID), reports: reports, expires: expires)
    checkState("append")
  }

  mutating func appendRun(sizes: [Int], reports: Bool) {
    let (start, firstID) = (bytes.count, nextID + 1)
    for size in sizes {
      nextID += 1
      add([UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size), reports: reports)
    }
    let run = Array(bytes[start...])
    stream.append(
      run: run.span, count: sizes.count, firstID: MessageID(rawValue: firstID), reports: reports)
    checkState("run")
  }

  private mutating func add(_ payload: [UInt8], reports: Bool, expires: Instant? = nil) {
    let start = bytes.count
    bytes += payload.count < 64 ? [UInt8(payload.count)] : [0x40 | UInt8(payload.count >> 8)]
    if payload.count >= 64 { bytes.append(UInt8(payload.count & 0xFF)) }
    bytes += payload
    isAcknowledged += [Bool](repeating: false, count: bytes.count - start)
    isLost += [Bool](repeating: false, count: bytes.count - start)
    messages.append(
      Message(range: start..<bytes.count, id: nextID, reports: reports, expires: expires))
  }

  mutating func beginPacket() {
    stream.beginPacket()
    packet = []
  }

  /// Writes `part` and returns whether anything was written.
  mutating func write(_ part: SendStream.Part, room: Int) -> Bool {
    var hasWork = false
    if case .fresh(let credit) = part { hasWork = stream.hasFresh(credit: credit) }
    if case .lost = part { hasWork = stream.hasLost }
    guard let (range, written) = stream.packet(part, room: room) else {
      check(!hasWork || room < 60, "\(part) wrote nothing")
      return false
    }
    guard let frame = streamFrames(in: written)?.first, written.count <= room else {
      check(false, "\(part) wrote no frame or too much")
      return true
    }
    let old = sentEnd
    checkFrame(frame, range: range, part: part, room: room, size: written.count)
    outstanding.append(frame)
    packet.append(Int(range.lowerBound)..<Int(range.upperBound))
    sentEnd = max(sentEnd, Int(range.upperBound))
    switch part {
    case .lost, .oldest, .fresh: for offset in range { setLost(Int(offset), false) }
    case .copy, .ride: break
    }
    if case .fresh(let credit) = part {
      check(hasWork, "\(part) without hasFresh")
      check(UInt64(sentEnd) <= stream.limit, "beyond the window")
      check(UInt64(sentEnd - old) <= credit, "beyond the credit")
    } else {
      check(sentEnd == old, "\(part) wrote new bytes")
    }
    checkState("\(part)")
    return true
  }

  mutating func acknowledge(_ frame: StreamFrame) {
    receiver.receive(frame)
    let range = range(of: frame)
    for offset in range {
      isAcknowledged[offset] = true
      setLost(offset, false)
    }
    while unacknowledged < bytes.count, isAcknowledged[unacknowledged] { unacknowledged += 1 }
    let expected = newlyTold()
    var ids: [MessageID] = []
    stream.acknowledge(UInt64(range.lowerBound)..<UInt64(range.upperBound), ids: &ids)
    check(ids.map(\.rawValue).sorted() == expected, "\(range) told \(ids), not \(expected)")
    if stream.isOrdered { check(ids == ids.sorted(), "told out of order") }
    checkState("acknowledge")
  }

  mutating func lose(_ frame: StreamFrame) {
    let range = range(of: frame)
    markLost(range)
    stream.markLost(UInt64(range.lowerBound)..<UInt64(range.upperBound))
    checkState("lose")
  }

  mutating func giveUp(at now: Instant) {
    var expected: [UInt64] = []
    for index in messages.indices {
      let message = messages[index]
      guard let expires = message.expires, expires <= now, !message.isGivenUp,
        isAcknowledged[message.range].contains(false)
      else { continue }
      messages[index].isGivenUp = true
      expected.append(message.id)
      if message.range.upperBound <= sentEnd { markLost(message.range) }
    }
    var ids: [MessageID] = []
    stream.giveUpExpired(at: now, ids: &ids)
    check(ids.map(\.rawValue) == expected, "gave up \(ids), not \(expected)")
    check(stream.expiry.map { $0 > now } ?? true, "an expiry is left")
    checkState("give up")
  }

  /// All that is still to be told, from the stream and from the model.
  mutating func end() {
    let expected = messages.filter { !$0.isTold && !$0.isGivenUp && $0.reports }.map(\.id)
    var ids: [MessageID] = []
    stream.removeAll(ids: &ids)
    check(ids.map(\.rawValue) == expected, "ended with \(ids), not \(expected)")
  }
}

extension SendStreamModel {
  private func range(of frame: StreamFrame) -> Range<Int> {
    switch frame {
    case .chunk(let chunk, let part): Int(chunk.offset)..<(Int(chunk.offset) + part.count)
    case .skip(let skip): Int(skip.range.lowerBound)..<Int(skip.range.upperBound)
    }
  }

  private mutating func markLost(_ range: Range<Int>) {
    for offset in range where !isAcknowledged[offset] { setLost(offset, true) }
  }

  private mutating func setLost(_ offset: Int, _ value: Bool) {
    if isLost[offset] != value { lostCount += value ? 1 : -1 }
    isLost[offset] = value
  }

  private mutating func newlyTold() -> [UInt64] {
    let front = unacknowledged
    var ids: [UInt64] = []
    for index in messages.indices {
      let message = messages[index]
      guard message.reports, !message.isTold, !message.isGivenUp else { continue }
      let isWhole =
        stream.isOrdered
        ? message.range.upperBound <= front : !isAcknowledged[message.range].contains(false)
      guard isWhole else { continue }
      messages[index].isTold = true
      ids.append(message.id)
    }
    return ids
  }

  private mutating func checkState(_ name: @autoclosure () -> String) {
    check(stream.unacknowledged == UInt64(unacknowledged), "\(name()): unacknowledged")
    check(stream.sentEnd == UInt64(sentEnd), "\(name()): sentEnd")
    check(stream.end == UInt64(bytes.count), "\(name()): end")
    check(stream.hasLost == (lostCount > 0), "\(name()): hasLost")
    check(stream.isSettled == (unacknowledged == bytes.count), "\(name()): isSettled")
    if stream.isSettled { check(stream.heldBytes == 0, "\(name()): held while settled") }
  }

  private mutating func checkFrame(
    _ frame: StreamFrame, range: Range<UInt64>, part: SendStream.Part, room: Int, size: Int
  ) {
    let own = self.range(of: frame)
    check(range == UInt64(own.lowerBound)..<UInt64(own.upperBound), "\(part): other range")
    if case .fresh = part {
      check(own.contains(sentEnd), "\(part): not at the end")
    } else {
      check(own.upperBound <= sentEnd, "\(part): beyond the end")
    }
    if case .ride = part {
      check(!packet.contains { $0.overlaps(own) }, "\(part): \(own) is in the packet already")
    }
    switch frame {
    case .chunk(let chunk, let payload):
      check(payload == Array(bytes[own]), "\(part): other bytes")
      check(!isAcknowledged[own].contains(true), "\(part): acknowledged bytes")
      let first = messages.first { $0.range.contains(own.lowerBound) }
      let isStart = first?.range.lowerBound == own.lowerBound
      check(chunk.startsMessage == isStart, "\(part): bit of the start")
      check(isStart || own.upperBound <= first?.range.upperBound ?? 0, "\(part): crosses an end")
      for message in messages where message.range.overlaps(own) {
        check(!message.isGivenUp || message.range.upperBound > sentEnd, "\(part): given up")
      }
    case .skip(let skip):
      let covered = messages.indices.filter { messages[$0].range.overlaps(own) }
      check(UInt64(covered.count) == skip.count, "\(part): count")
      check(covered.first.map(UInt64.init) == skip.firstSequence, "\(part): first sequence")
      check(covered.first.map { messages[$0].range.lowerBound } == own.lowerBound, "\(part): start")
      check(covered.last.map { messages[$0].range.upperBound } == own.upperBound, "\(part): end")
      for index in covered {
        check(messages[index].isGivenUp, "\(part): skips what is not given up")
        check(isAcknowledged[messages[index].range].contains(false), "\(part): skips what is whole")
      }
    }
  }
}
