import Primitives
import Testing

@testable import DatagramPeer

struct PacketHeaderTests {
  private let id = ConnectionID(rawValue: 0x0102_0304_0506_0708)

  private func parse(_ bytes: [UInt8]) -> (header: PacketHeader, size: Int)? {
    var offset = 0
    guard let header = PacketHeader(parsing: bytes.span, at: &offset) else { return nil }
    return (header, offset)
  }

  private func emit(_ header: PacketHeader) -> [UInt8] {
    WireBytes.written { header.emit(into: &$0) }
  }

  @Test("A header comes back as it was", arguments: UInt64(0)..<30)
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let acknowledged = generator.next() >> UInt64.random(in: 4...60, using: &generator)
    let distance = generator.next() >> UInt64.random(in: 33...63, using: &generator)
    let number = acknowledged + 1 + distance
    let header = PacketHeader(
      destination: ConnectionID(rawValue: generator.next()), number: number,
      largestAcknowledged: seed.isMultiple(of: 3) ? nil : acknowledged)
    let bytes = emit(header)
    let (parsed, size) = try #require(parse(bytes))
    #expect(parsed == header)
    #expect(size == bytes.count)
    #expect(size <= PacketHeader.maximumSize)
  }

  @Test(
    "A packet that comes late is not taken for a later one",
    arguments: [UInt64(1), 127, 128, 129, 300, 32_768, 100_000, 1 << 22])
  func late(overtakenBy count: UInt64) throws {
    for number: UInt64 in [0, 5, 200, 70_000, 1 << 33] {
      let header = PacketHeader(
        destination: id, number: number, largestAcknowledged: number == 0 ? nil : number - 1)
      let (parsed, _) = try #require(parse(emit(header)))
      let found = PacketNumber.expand(
        parsed.truncatedNumber, width: parsed.numberWidth, largestReceived: number + count)
      #expect(found == number)
    }
  }

  @Test("Each first byte but four is refused")
  func firstByte() {
    let rest = [UInt8](repeating: 7, count: 12)
    let accepted = (UInt8.min...UInt8.max).filter { parse([$0] + rest) != nil }
    #expect(accepted == [0x80, 0x81, 0x82, 0x83])
  }

  @Test("A header that is cut short is refused", arguments: UInt8(0x80)...0x83)
  func cutShort(first: UInt8) {
    let bytes = [first] + [UInt8](repeating: 0xFF, count: 8 + Int(first & 3) + 1)
    for count in 0..<bytes.count { #expect(parse(Array(bytes[..<count])) == nil) }
    #expect(parse(bytes)?.size == bytes.count)
  }

  @Test("Damaged and random bytes are read as what they say, or not at all")
  func damaged() {
    let header = PacketHeader(destination: id, number: 300, largestAcknowledged: 5)
    var generator = SplitMix64(seed: 1)
    let noise = (0..<500).map { WireBytes.random(count: $0 % 16, from: &generator) }
    for bytes in WireBytes.damaged(emit(header)) + noise {
      guard let (parsed, size) = parse(bytes) else { continue }
      #expect(emit(parsed) == Array(bytes[..<size]))
    }
  }
}
