import Primitives
import Testing

@testable import DatagramPeer

struct SentPacketsTests {
  /// Chunks that tell by themselves where they belong.
  private func chunks(of number: UInt64, count: Int) -> [SentChunk] {
    (0..<count).map { SentChunk(stream: UInt16($0), start: number, length: 1) }
  }

  private func count(_ number: UInt64) -> Int { Int(number % 5) }

  @Test("It agrees with a plain list, however it grows and wraps", arguments: UInt64(0)..<30)
  func agreesWithModel(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var packets = SentPackets()
    var open: [UInt64] = []
    for _ in 0..<150 {
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        // Now and then a number is left out.
        let gap = UInt64.random(in: 0..<10, using: &generator) == 0 ? UInt64(2) : 0
        let number = packets.end + gap
        let isOpen = Bool.random(using: &generator)
        packets.append(
          SentRecord(), number: number, isOpen: isOpen,
          chunks: chunks(of: number, count: count(number)))
        if isOpen { open.append(number) }
      }
      guard !packets.isEmpty else { continue }
      let lower = UInt64.random(in: packets.first..<packets.end, using: &generator)
      let upper = min(packets.end - 1, lower + .random(in: 0...100, using: &generator))
      #expect(
        packets.nextOpen(from: lower, below: upper) == open.first { $0 >= lower && $0 < upper },
        "seed \(seed)")
      #expect(packets.isOpen(lower) == open.contains(lower), "seed \(seed)")
      var closed: [UInt64] = []
      var number = lower
      while number <= upper {
        let (bits, width) = packets.closeStep(from: number, through: upper)
        for offset in 0..<width where bits >> offset & 1 == 1 { closed.append(number + offset) }
        number += width
      }
      let areRight = closed == open.filter { (lower...upper).contains($0) }
      #expect(areRight, "seed \(seed)")
      open.removeAll { (lower...upper).contains($0) }
      let floor = UInt64.random(in: packets.first...packets.end, using: &generator)
      if floor < packets.first + 40 {
        packets.dropFirst(to: floor)
        open.removeAll { $0 < floor }
      }
    }
    #expect(packets.count == Int(packets.end - packets.first))
  }

  @Test("Chunks stay with their packets, in their order")
  func chunks() {
    var packets = SentPackets()
    for number in UInt64(0)..<1_000 {
      packets.append(
        SentRecord(), number: number, isOpen: true,
        chunks: chunks(of: number, count: count(number)))
      if number >= 50 { packets.dropFirst(to: number - 50) }
      let asked = packets.first + number % 37
      guard asked < packets.end else { continue }
      let record = packets[asked]
      var found = record.chunk.length > 0 ? [record.chunk] : []
      for index in 0..<Int(record.furtherCount) {
        found.append(packets.furtherChunk(index, of: record))
      }
      #expect(found == chunks(of: asked, count: count(asked)))
    }
    // 51 packets with at most four chunks, one of them in the record.
    #expect(packets.capacity == (64, 128))
  }

  @Test("Numbers that were left out are neither open nor forgotten")
  func gaps() {
    var packets = SentPackets()
    packets.append(SentRecord(), number: 7, isOpen: true, chunks: [])
    #expect(packets.first == 7)
    packets.append(SentRecord(), number: 11, isOpen: true, chunks: [])
    #expect(packets.count == 5)
    #expect(packets[9].state == .skipped)
    #expect(packets.nextOpen(from: 8, below: 12) == 11)
    packets.close(11)
    #expect(packets.nextOpen(from: 8, below: 12) == nil)
  }

  @Test("Neighbouring parts are merged, and never to more than a length can tell")
  func merging() {
    var chunk = SentChunk(stream: 1, start: 10, length: .max - 5)
    let next = UInt64(UInt32.max) + 5
    var merged: [Bool] = []
    for (stream, start, length) in [
      (UInt16(2), next, UInt32(1)), (1, next + 1, 1), (1, next, 6), (1, next, 5),
    ] {
      merged.append(chunk.extend(by: SentChunk(stream: stream, start: start, length: length)))
    }
    #expect(merged == [false, false, false, true])
    #expect(chunk.range == 10..<(UInt64(UInt32.max) + 10))
  }
}
