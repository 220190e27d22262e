import Primitives
import Testing

@testable import DatagramPeer

struct LossRecoveryMemoryTests {
  private func ms(_ count: Int64) -> Instant { LossRecoveryDriver.ms(count) }

  @Test("A connection on which nothing happens costs little")
  func idle() {
    #expect(MemoryLayout<LossRecovery>.size < 500)
    #expect(MemoryLayout<SentRecord>.stride == 40)
    var driver = LossRecoveryDriver()
    for _ in 0..<100_000 { driver.send([], at: ms(0)) }
    #expect(driver.recovery.capacity == (0, 0))
    driver.send(at: ms(0), chunks: (0..<5).map { SentChunk(stream: $0, start: 0, length: 1) })
    driver.recovery.releaseStorage()
    #expect(driver.recovery.capacity == (16, 8))
    driver.acknowledge(driver.recovery.sent.first...driver.recovery.sent.first, at: ms(1))
    driver.recovery.releaseStorage()
    #expect(driver.recovery.capacity == (0, 0))
    driver.send(at: ms(2))
    #expect(driver.recovery.packetsInFlight == 1)
  }

  @Test("What is in flight bounds the memory, however long it goes on")
  func steady() {
    var driver = LossRecoveryDriver()
    for turn in Int64(0)..<2_000 {
      let parts = (0..<3).map { SentChunk(stream: $0, start: UInt64(turn) * 9, length: 9) }
      for _ in 0..<10 { driver.send(at: ms(turn), chunks: parts) }
      let last = driver.recovery.sent.end - 1
      // The lowest of each ten is lost.
      driver.acknowledge((last - 8)...last, at: ms(turn))
    }
    #expect(driver.recovery.packetsInFlight == 0)
    #expect(driver.recovery.capacity.records <= 512)
    #expect(driver.recovery.capacity.chunks <= 1_024)
  }

  @Test("A peer that acknowledges nothing and asks for much does not fill the memory")
  func overlong() {
    var driver = LossRecoveryDriver(sendingAt: [0, 0])
    for _ in 0..<40_000 { driver.send([], at: ms(1)) }
    #expect(driver.recovery.deadline == ms(0))
    driver.advance(to: ms(1))
    #expect(driver.lost == [0, 1])
    #expect(driver.recovery.bytesInFlight == 0)
    #expect(driver.recovery.deadline == nil)
    driver.send([], at: ms(2))
    driver.recovery.releaseStorage()
    #expect(driver.recovery.capacity == (0, 0))
  }

  @Test("Acknowledgements of what is no longer remembered do nothing", arguments: 1...3)
  func old(times: Int) {
    var driver = LossRecoveryDriver(sendingAt: [0, 0, 0, 0])
    driver.acknowledge(0...3, at: ms(40))
    for _ in 0..<times {
      driver.acknowledge(3...3, 0...1, at: ms(41))
      #expect(driver.acknowledged.isEmpty && driver.outcome.fates.isEmpty)
    }
    driver.recovery.releaseStorage()
    driver.acknowledge(0...3, at: ms(42))
    #expect(driver.acknowledged.isEmpty)
  }
}
