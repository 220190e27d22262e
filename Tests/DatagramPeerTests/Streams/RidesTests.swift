import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Bytes that ride again in later packets.
struct RidesTests {
  private func stream() -> SendStream {
    SendStream(channel: 0, isOrdered: true, limit: 1 << 18)
  }

  /// A packet with one new message of ten bytes in the stream.
  private func send(_ stream: inout SendStream, id: UInt64) {
    stream.beginPacket()
    stream.append(size: 9, id: id)
    #expect(stream.packet(.fresh(credit: .max)) != nil)
  }

  private func rides(_ stream: inout SendStream, sends: Int, budget: Int = 1_000) -> [Range<UInt64>]
  {
    stream.beginRides()
    var ranges: [Range<UInt64>] = []
    while let packet = stream.packet(.ride(sends: sends, budget: budget)) {
      ranges.append(packet.range)
    }
    return ranges
  }

  @Test func carryWhatWasNewInTheLastPackets() {
    var stream = stream()
    for id: UInt64 in 0..<5 { send(&stream, id: id) }
    #expect(rides(&stream, sends: 1) == [30..<40])
    #expect(rides(&stream, sends: 3) == [10..<40])
    #expect(rides(&stream, sends: 0) == [])
    #expect(rides(&stream, sends: .max) == [0..<40])
    stream.beginPacket()
    #expect(rides(&stream, sends: 2) == [30..<50])
  }

  @Test func leaveOutWhatIsAcknowledged() {
    var stream = stream()
    for id: UInt64 in 0..<5 { send(&stream, id: id) }
    #expect(stream.acknowledged(0..<10) == [0] && stream.acknowledged(20..<30) == [])
    #expect(rides(&stream, sends: .max) == [10..<20, 30..<40])
    #expect(rides(&stream, sends: 2) == [30..<40])
  }

  @Test func leaveOutWhatIsInThePacketAlready() {
    var stream = stream()
    for id: UInt64 in 0..<5 { send(&stream, id: id) }
    stream.markLost(20..<30)
    stream.beginPacket()
    #expect(stream.packet(.lost)?.range == 20..<30)
    #expect(rides(&stream, sends: .max) == [0..<20, 30..<50])
  }

  @Test func keepToTheirBudget() {
    var stream = stream()
    for id: UInt64 in 0..<3 { send(&stream, id: id) }
    stream.beginPacket()
    stream.beginRides()
    #expect(stream.packet(.ride(sends: .max, budget: 10))?.range == 0..<10)
    #expect(stream.packet(.ride(sends: .max, budget: 20))?.range == 10..<30)
    #expect(stream.packet(.ride(sends: .max, budget: 20)) == nil)
  }

  @Test func rememberOnlySomeSends() {
    var stream = stream()
    for id: UInt64 in 0..<20 { send(&stream, id: id) }
    stream.beginPacket()
    #expect(rides(&stream, sends: Rides.maximumSends) == [130..<200])
    #expect(rides(&stream, sends: 100) == [120..<200])
  }
}
