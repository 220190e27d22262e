import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// Answers to packets of connections that are not there.
struct EndpointResetTests {
  /// A data packet of a connection that nobody knows, of `count` bytes.
  private func packet(_ number: UInt64, count: Int = 40) -> [UInt8] {
    let header = WireBytes.written {
      PacketHeader(
        destination: ConnectionID(rawValue: number), number: 0, largestAcknowledged: nil
      ).emit(into: &$0)
    }
    return header + [UInt8](repeating: 1, count: count - header.count)
  }

  @Test("It repeats the identifier, says who we are, and nothing is kept")
  func answer() {
    var driver = EndpointDriver()
    driver.receive(packet(77), on: EndpointDriver.path(9))
    let sent = driver.transmit()
    #expect(sent.count == 1 && sent[0].path == EndpointDriver.path(9))
    let reset = HandshakePacket.Reset(
      sender: driver.endpoint.local, destination: ConnectionID(rawValue: 77))
    let bytes = sent[0].bytes
    let answer = HandshakePacket(parsing: bytes.span)
    #expect(answer == .reset(reset))
    let isBlank = driver.isBlank
    #expect(isBlank)
  }

  @Test("Whoever asks, there are so many in a second, and never more than three times the bytes")
  func limits() {
    var driver = EndpointDriver()
    var sent = 0
    for number in 0..<100_000 {
      driver.now = .zero + .microseconds(100) * Int64(number)
      driver.receive(packet(UInt64(number)), on: EndpointDriver.path(UInt32(number % 5_000)))
      sent += driver.transmit().count
    }
    // Ten seconds, and the burst at their beginning.
    let rate = driver.endpoint.configuration.resetsPerSecond
    #expect(sent <= 11 * rate && sent >= 10 * rate)
    let isBlank = driver.isBlank
    #expect(isBlank)
    var fresh = EndpointDriver()
    for count in 13..<HandshakePacket.Reset.size {
      fresh.receive(packet(1, count: count), on: EndpointDriver.path(9))
      let isSmall = fresh.transmit().allSatisfy { $0.bytes.count <= 3 * count }
      #expect(isSmall)
    }
  }

  @Test("None at all where that is configured, and none while we close")
  func none() {
    var configuration = DatagramConfiguration()
    configuration.resetsPerSecond = 0
    var driver = EndpointDriver(5, configuration)
    driver.receive(packet(77), on: EndpointDriver.path(9))
    let isSilent = driver.transmit().isEmpty
    #expect(isSilent)
    var closing = EndpointDriver()
    closing.endpoint.close(at: closing.now)
    closing.receive(packet(77), on: EndpointDriver.path(9))
    let isSilentToo = closing.transmit().isEmpty
    #expect(isSilentToo)
  }
}
