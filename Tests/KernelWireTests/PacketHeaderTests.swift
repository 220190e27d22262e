import Testing

@testable import KernelWire

struct PacketHeaderTests {
  /// An IPv4 packet from 10.77.0.1 with the ports 4000 and 9000.
  private func packet(
    protocol number: UInt8 = 17, to target: [UInt8] = [10, 77, 0, 2], fragment: [UInt8] = [0, 0],
    isReply: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x45, 0, 0, 28, 0, 0] + fragment + [64, number, 0, 0]
    let (own, ports): ([UInt8], [UInt8]) = ([10, 77, 0, 1], [0x0F, 0xA0, 0x23, 0x28])
    bytes += isReply ? target + own : own + target
    bytes += isReply ? [ports[2], ports[3], ports[0], ports[1]] : ports
    return bytes + [0, 8, 0, 0]
  }

  @Test func saysWhereAPacketGoes() {
    let header = PacketHeader(packet().span)
    #expect(header?.host == 2 && header?.isForAll == false)
  }

  @Test func knowsBothDirectionsOfAConversation() {
    let there = PacketHeader(packet().span)?.conversation
    let back = PacketHeader(packet(isReply: true).span)?.conversation
    #expect(there != nil && there == back)
    #expect(PacketHeader(packet(protocol: 6).span)?.conversation != there)
  }

  @Test func sendsGroupsAndBroadcastsToAll() {
    #expect(PacketHeader(packet(to: [239, 255, 1, 2]).span)?.isForAll == true)
    #expect(PacketHeader(packet(to: [10, 77, 0, 255]).span)?.isForAll == true)
  }

  @Test func findsNoConversationInOtherPackets() {
    #expect(PacketHeader(packet(protocol: 1).span)?.conversation == nil)
    #expect(PacketHeader(packet(fragment: [0, 1]).span)?.conversation == nil)
    #expect(PacketHeader(packet(fragment: [0x40, 0]).span)?.conversation != nil)
  }

  @Test func refusesWhatIsNotIPv4() {
    #expect(PacketHeader([UInt8]().span) == nil)
    #expect(PacketHeader(Array(packet()[..<19]).span) == nil)
    var bytes = packet()
    bytes[0] = 0x60
    #expect(PacketHeader(bytes.span) == nil)
  }

  @Test func readsNothingBeyondAShortPacket() {
    // A header of 60 bytes that are not there.
    var bytes = packet()
    bytes[0] = 0x4F
    #expect(PacketHeader(bytes.span)?.conversation == nil)
  }
}
