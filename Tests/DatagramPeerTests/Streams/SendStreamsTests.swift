import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct SendStreamsTests {
  private let driver = SendStreamsDriver()

  @Test("A small message goes before what is left of a large one on another channel")
  func urgent() {
    driver.append(size: 100_000, channel: 1)
    #expect(driver.channels() == [1])
    driver.append(size: 10, channel: 2)
    #expect(driver.channels() == [2, 1])
    #expect(driver.channels() == [1])
  }

  @Test("Small messages of several channels go in the order in which they were given")
  func urgentOrder() {
    for channel: UInt8 in [9, 3, 5] { driver.append(size: 10, channel: channel) }
    #expect(driver.channels() == [9, 3, 5])
  }

  @Test("Streams with much to send take turns, a packet each, and none waits for ever")
  func turns() {
    for channel: UInt8 in 1...3 { driver.append(size: 10_000, channel: channel) }
    let turns = (0..<9).map { _ in driver.channels()[0] }
    #expect(turns == [1, 2, 3, 1, 2, 3, 1, 2, 3])
  }

  @Test("What was lost goes before everything new")
  func lostFirst() {
    driver.append(size: 5_000, channel: 1)
    let lost = driver.packet().chunks
    driver.append(size: 10, channel: 2)
    for chunk in lost { driver.markLost(chunk) }
    #expect(driver.hasLost)
    let (chunks, frames) = driver.packet()
    #expect(chunks[0] == lost[0])
    #expect(frames.first?.channel == 1)
    #expect(driver.channels() == [2, 1])
    #expect(!driver.hasLost)
  }

  @Test("What was lost and then acknowledged all the same is not sent again")
  func lateAcknowledgement() {
    driver.append(size: 10, channel: 1)
    let chunks = driver.packet().chunks
    driver.markLost(chunks[0])
    #expect(driver.acknowledged(chunks) == [0])
    #expect(!driver.hasWork && driver.packet().chunks.isEmpty)
    #expect(driver.heldBytes == 0)
  }

  @Test("The connection's window holds all streams together")
  func connectionWindow() {
    for channel: UInt8 in 1...4 { driver.append(size: 200_000, channel: channel) }
    var sent = 0
    while driver.hasWork { sent += driver.packet().chunks.map { Int($0.length) }.sum }
    #expect(sent == ProtocolLimits.connectionWindow && driver.credit == 0)
    driver.raiseLimit(to: UInt64(sent + 5_000))
    // A smaller limit was overtaken.
    driver.raiseLimit(to: 1)
    while driver.hasWork { sent += driver.packet().chunks.map { Int($0.length) }.sum }
    #expect(sent == ProtocolLimits.connectionWindow + 5_000)
  }

  @Test("The window of a stream holds that one alone, and going on waits for nothing else")
  func streamWindow() {
    driver.append(size: 300_000, channel: 1)
    var sent = 0
    while driver.hasWork { sent += driver.packet().chunks.map { Int($0.length) }.sum }
    #expect(sent == ProtocolLimits.streamWindow)
    driver.append(size: 10, channel: 2)
    #expect(driver.channels() == [2])
    let stream = StreamID(channel: 1, isOrdered: true)
    driver.raiseLimit(of: stream, to: UInt64(ProtocolLimits.streamWindow + 100))
    driver.raiseLimit(of: stream, to: 1)
    #expect(driver.packet().chunks.map(\.length) == [100])
    #expect(!driver.hasWork)
  }

  @Test("What was lost may be sent again whatever the windows are")
  func lostBeyondWindow() {
    driver.append(size: 300_000, channel: 1)
    let first = driver.packet().chunks
    while driver.hasWork { _ = driver.packet() }
    driver.markLost(first[0])
    #expect(driver.packet().chunks == first)
  }

  @Test("A message that becomes too old is told once and skipped, in its own stream alone")
  func expiry() {
    driver.append(size: 10, channel: 1, expires: .zero + .milliseconds(5))
    driver.append(size: 10, channel: 2, expires: .zero + .milliseconds(9))
    #expect(driver.expiry == .zero + .milliseconds(5))
    #expect(driver.givenUp(at: .zero + .milliseconds(4)) == [])
    #expect(driver.givenUp(at: .zero + .milliseconds(5)) == [0])
    #expect(driver.expiry == .zero + .milliseconds(9))
    let frames = driver.packet().frames
    guard case .skip(let skip) = frames.first else {
      Issue.record("no skip in \(frames)")
      return
    }
    #expect(skip.channel == 1 && skip.range == 0..<11 && skip.count == 1)
    #expect(frames.count == 2 && frames[1].channel == 2)
  }

  @Test("What is held is the sum over all streams, and nothing when all is acknowledged")
  func heldBytes() {
    for channel in UInt8.min...UInt8.max {
      driver.append(size: 20, channel: channel, isOrdered: channel % 2 == 0)
    }
    #expect(driver.heldBytes == driver.heldByEach.sum)
    var told: [UInt64] = []
    while driver.hasWork { told += driver.acknowledged(driver.packet().chunks) }
    #expect(told == Array(0..<256))
    #expect(driver.heldBytes == 0)
    #expect(driver.heldByEach.allSatisfy { $0 == 0 })
  }

  @Test("At the end all that was not acknowledged is told, and nothing is left")
  func end() {
    for channel: UInt8 in 1...3 { driver.append(size: 10, channel: channel) }
    let chunks = driver.packet().chunks
    #expect(driver.acknowledged([chunks[1]]) == [1])
    #expect(driver.removeAll() == [0, 2])
    #expect(!driver.hasWork && driver.heldBytes == 0)
  }
}

extension Sequence where Element == Int {
  fileprivate var sum: Int { reduce(0, +) }
}
