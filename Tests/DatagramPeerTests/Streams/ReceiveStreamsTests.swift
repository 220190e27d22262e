import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

struct ReceiveStreamsTests {
  private let driver = StreamsDriver()

  @Test("Every channel and kind has a stream of its own")
  func allStreams() {
    for channel in UInt8.min...UInt8.max {
      driver.sender.append(size: 20, channel: channel, isOrdered: true)
      driver.sender.append(size: 30, channel: channel, isOrdered: false)
    }
    let isAccepted = driver.run()
    #expect(isAccepted && driver.delivered.count == 512 && driver.streamCount == 512)
    #expect(driver.used == 256 * (21 + 31) && driver.bufferedBytes == 0)
  }

  @Test("A stream that is not read stops at its window, and the others go on")
  func oneHeld() {
    driver.setReceiving(false, channel: 1)
    for _ in 0..<400 { driver.sender.append(size: 1_000, channel: 1) }
    driver.run()
    #expect(driver.sender.sentEnds == [UInt64(ProtocolLimits.streamWindow)])
    for _ in 0..<20_000 {
      driver.sender.append(size: 1_000, channel: 2)
      driver.run()
    }
    #expect(driver.count(1) == 0 && driver.count(2) == 20_000)
    #expect(driver.bufferedBytes <= 2 * ProtocolLimits.streamWindow)
  }

  @Test("Even one whose window has grown as far as it can leaves the others their part")
  func oneHeldWide() {
    // Fast enough for the window to grow.
    driver.roundTrip = .seconds(10)
    while driver.firstWindow != 4 << 20 {
      driver.sender.append(size: 60_000, channel: 1)
      driver.run()
    }
    driver.setReceiving(false, channel: 1)
    for _ in 0..<100 { driver.sender.append(size: 60_000, channel: 1) }
    driver.run()
    let before = driver.count(2)
    for _ in 0..<500 {
      driver.sender.append(size: 60_000, channel: 2)
      driver.run()
    }
    #expect(driver.count(2) == before + 500)
  }

  @Test("One large message passes beside what is held back")
  func largeBesideHeld() {
    driver.roundTrip = .seconds(10)
    while driver.firstWindow != 4 << 20 {
      driver.sender.append(size: 60_000, channel: 1)
      driver.run()
    }
    driver.setReceiving(false, channel: 1)
    for _ in 0..<100 { driver.sender.append(size: 60_000, channel: 1) }
    driver.run()
    driver.sender.append(size: 16 << 20, channel: 2)
    driver.run()
    #expect(driver.count(2) == 1)
  }

  @Test("Two of the largest messages at once, in turns on two channels, both arrive")
  func twoLarge() {
    driver.sender.append(size: 16 << 20, channel: 1)
    driver.sender.append(size: 16 << 20, channel: 2)
    driver.run()
    #expect(driver.count(1) == 1 && driver.count(2) == 1)
  }

  @Test("Messages that together pass the window, begun on many channels at once, all arrive")
  func manyMedium() {
    for channel in UInt8.min...UInt8.max { driver.sender.append(size: 200_000, channel: channel) }
    driver.run()
    #expect(driver.delivered.count == 256)
  }

  @Test("A user who reads nothing bounds what a peer can send on all its streams")
  func nothingRead() {
    driver.mayDeliver = false
    for channel in UInt8.min...UInt8.max {
      for _ in 0..<200 { driver.sender.append(size: 1_000, channel: channel) }
    }
    driver.run()
    #expect(driver.delivered.isEmpty)
    #expect(driver.used <= 8 << 20)
    driver.mayDeliver = true
    driver.deliver()
    driver.run()
    #expect(driver.delivered.count == 256 * 200)
  }

  @Test("What two paused channels hold comes when each is read again, whatever came between")
  func resume() {
    for channel: UInt8 in 1...2 { driver.setReceiving(false, channel: channel) }
    for channel: UInt8 in 1...2 { driver.sender.append(size: 10, channel: channel) }
    driver.run()
    #expect(driver.delivered.isEmpty)
    // The inbox has room for others, which changes nothing for these.
    driver.deliver()
    driver.setReceiving(true, channel: 1)
    #expect(driver.count(1) == 1 && driver.count(2) == 0)
    driver.setReceiving(true, channel: 2)
    #expect(driver.count(2) == 1)
  }

  @Test("More than the windows is refused, and nothing of it kept")
  func beyond() {
    func chunk(_ channel: UInt8, _ offset: UInt64, count: Int) -> StreamChunkFrame? {
      let bytes = WireBytes.written { output in
        StreamChunkFrame.emitHeader(
          isOrdered: true, startsMessage: false, channel: channel, offset: offset, length: nil,
          into: &output)
        output.append(repeating: 0, count: count)
      }
      var position = 1
      return StreamChunkFrame(kind: bytes[0], parsing: bytes.span, at: &position)
    }
    let window = UInt64(ProtocolLimits.streamWindow)
    for channel: UInt8 in 0..<2 {
      let isTaken = [9, 10].map { take(chunk(channel, window - $0, count: 10)) }
      #expect(isTaken == [false, true])
    }
    // Two streams have used the first window of the connection.
    #expect(driver.used == 2 * window)
    #expect(driver.bufferedBytes <= 4 * ProtocolLimits.streamWindow)
  }

  private func take(_ chunk: StreamChunkFrame?) -> Bool {
    guard let chunk else { return false }
    return driver.take(.chunk(chunk, bytes: [UInt8](repeating: 0, count: chunk.payload.count)))
  }

  @Test("A window is told once, and all of them again when the packet was lost")
  func windows() {
    for _ in 0..<200 { driver.sender.append(size: 1_000, channel: 3) }
    while driver.sender.hasWork {
      for frame in driver.sender.packet().frames { _ = driver.take(frame) }
    }
    #expect(driver.owesWindows)
    let told = driver.owedWindows()
    let stream = StreamID(channel: 3, isOrdered: true)
    let limits = told.compactMap { frame -> UInt64? in
      guard case .streamWindow(let window) = frame, window.stream == stream else { return nil }
      return window.limit
    }
    #expect(limits.last == driver.firstLimit)
    #expect(told.contains(.window(WindowFrame(limit: driver.limit))))
    #expect(!driver.owesWindows && driver.owedWindows().isEmpty)
    driver.repeatWindows()
    let again = driver.owedWindows()
    #expect(again.count == 2)
    let newest = StreamWindowFrame(
      isOrdered: true, channel: 3, limit: driver.firstLimit)
    #expect(again.contains(.streamWindow(newest)))
  }

  @Test("Windows that find no room wait for the next packet")
  func noRoom() {
    for _ in 0..<200 { driver.sender.append(size: 1_000, channel: 3) }
    while driver.sender.hasWork {
      for frame in driver.sender.packet().frames { _ = driver.take(frame) }
    }
    #expect(driver.owedWindows(room: 2).isEmpty && driver.owesWindows)
    #expect(!driver.owedWindows().isEmpty && !driver.owesWindows)
  }

  @Test("A message without progress is a stall, but not while its stream is not read")
  func stall() {
    driver.sender.append(size: 10_000, channel: 1)
    for frame in driver.sender.packet().frames { _ = driver.take(frame) }
    let later = Instant.zero + .seconds(31)
    #expect(driver.isUnfinished)
    #expect(!driver.isStalled(for: .seconds(30), at: .zero + .seconds(29)))
    #expect(driver.isStalled(for: .seconds(30), at: later))
    driver.setReceiving(false, channel: 1)
    #expect(!driver.isStalled(for: .seconds(30), at: later))
  }

  @Test("A skip of a stream that nothing came of yet opens it behind the gap")
  func skipFirst() {
    driver.sender.append(size: 100, channel: 4, expires: .zero + .milliseconds(1))
    #expect(driver.sender.givenUp(at: .zero + .milliseconds(1)) == [0])
    driver.sender.append(size: 5, channel: 4)
    driver.run()
    #expect(driver.gaps.map(\.missing) == [0..<1])
    #expect(driver.gaps.map(\.channel) == [4] && driver.count(4) == 1)
  }
}
