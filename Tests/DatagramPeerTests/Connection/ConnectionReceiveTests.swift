import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

final class ConnectionReceiveTests {
  private static let path = Path(remote: SocketAddress(ip: IPAddress(192, 0, 2, 1), port: 28_421))

  private var connection = Connection(
    Connection.Identifiers(
      peer: PeerID(rawValue: 1),
      remote: Incarnation(identity: Identity(high: 1, low: 1), epoch: 1),
      localID: ConnectionID(rawValue: 10), remoteID: ConnectionID(rawValue: 20), isDialler: true),
    path: path, phase: .established, phaseDeadline: .zero, handshakeRoundTrip: .milliseconds(10),
    settings: Connection.Settings(DatagramConfiguration()), seed: 1, now: .zero)
  private var workspace = Workspace()
  private var now = Instant.zero

  private func takeEvents() -> [TransportEvent] {
    var taken: [TransportEvent] = []
    while let event = workspace.inbox.nextEvent() { taken.append(event) }
    return taken
  }

  /// Hands a packet of frames, given as their bytes, to the connection.
  private func receive(_ number: UInt64, _ frames: [UInt8]) -> Connection.Refusal? {
    let header = PacketHeader(
      destination: ConnectionID(rawValue: 10), number: number, largestAcknowledged: nil)
    let start = WireBytes.written { header.emit(into: &$0) }
    return connection.receive(
      (start + frames).span, header: header, framesAt: start.count, on: Self.path, at: now,
      &workspace)
  }

  /// A message of one byte: its number in an unreliable stream, or the one that begins a stream.
  private func message(
    _ delivery: Delivery, _ sequence: UInt64, channel: UInt8 = 0
  ) -> [UInt8] {
    let nothing: [UInt8] = []
    return WireBytes.written { output in
      if delivery.isReliable {
        StreamChunkFrame.emitHeader(
          isOrdered: delivery == .ordered, startsMessage: true, channel: channel,
          offset: sequence * 2, length: 2, into: &output)
        output.append(UInt8(1))
        output.append(UInt8(truncatingIfNeeded: sequence))
      } else {
        UnreliableFrame.emitWhole(
          key: UnreliableKey(channel: channel, isSequenced: delivery == .sequenced),
          sequence: sequence, payload: nothing.span, into: &output)
      }
    }
  }

  private func acknowledgement(of ranges: ClosedRange<UInt64>...) -> [UInt8] {
    WireBytes.written {
      _ = Acknowledgement.emit(ranges: ranges, delay: .zero, upTo: 1_200, into: &$0)
    }
  }

  private func transmit() -> [UInt8] {
    WireBytes.written { _ = connection.transmit(into: &$0, at: now, &workspace) }
  }

  @Test(
    "A packet is taken in whole or not at all",
    arguments: [
      "04", "03 03", "02 00 00 00 00", "10 00 01 05", "22 00 c000000001000000 01 00", "14 00 00 00",
    ])
  func wholeOrNot(last: String) {
    let refusal = receive(0, message(.reliable, 0) + WireBytes.parsed(hex: last))
    #expect(refusal != nil)
    #expect(takeEvents().isEmpty)
    let isSilent = !connection.wantsToTransmit(at: now)
    #expect(isSilent)
    // The number was not used up either: the same packet, undamaged, is taken in.
    #expect(receive(0, message(.reliable, 0)) == nil)
    #expect(takeEvents().count == 1)
  }

  @Test("A packet with nothing in it is malformed, and padding is nothing")
  func nothing() {
    #expect(receive(0, []) == .malformed)
    #expect(receive(0, [0, 0, 0]) == .malformed)
    #expect(receive(0, [0, 1, 0]) == nil)
  }

  @Test("A second copy is refused, and so is an acknowledgement of what was not sent")
  func refused() {
    #expect(receive(4, [1]) == nil)
    #expect(receive(4, [1]) == .duplicate)
    #expect(receive(5, acknowledgement(of: 0...0)) == .acknowledgementOfUnsent)
    #expect(transmit().isEmpty == false)
    #expect(receive(5, acknowledgement(of: 0...0)) == nil)
    #expect(receive(6, acknowledgement(of: 0...1)) == .acknowledgementOfUnsent)
  }

  @Test("Every packet sent has at least one frame, whatever was acknowledged meanwhile")
  func neverEmpty() {
    let payload: [UInt8] = [1]
    let isAccepted = connection.accept(
      payload.span, id: MessageID(rawValue: 1), SendOptions(delivery: .reliable), at: now)
    #expect(isAccepted)
    #expect(transmit().count > PacketHeader.maximumSize)
    // The answer stays away, and a probe carries the message again; then two packets more.
    now = connection.recovery.deadline ?? now
    connection.advance(to: now, &workspace)
    #expect(transmit().count > PacketHeader.maximumSize)
    for _ in 0..<3 {
      connection.owesPing = true
      #expect(!transmit().isEmpty)
    }
    // The first and the probe count as lost; then the first is acknowledged after all.
    #expect(receive(0, acknowledgement(of: 4...4)) == nil)
    #expect(connection.recovery.packetsLost == 2)
    #expect(receive(1, acknowledgement(of: 4...4, 0...0)) == nil)
    let isSilent = !connection.wantsToTransmit(at: now)
    #expect(isSilent)
    #expect(transmit().isEmpty)
  }

  @Test("After a peer has left nothing more is told of it")
  func silenceAfterLeaving() {
    let payload: [UInt8] = [1]
    let isAccepted = connection.accept(
      payload.span, id: MessageID(rawValue: 1), SendOptions(), at: now)
    #expect(isAccepted)
    connection.isUnderPressure = true
    #expect(!transmit().isEmpty)
    connection.close(.goodbye, reason: .closedByUs, at: now, &workspace)
    #expect(
      takeEvents() == [
        .givenUp(MessageID(rawValue: 1), to: connection.peer, .connectionEnded),
        .peerLeft(connection.peer, .closedByUs),
      ])
    let late = acknowledgement(of: 0...0) + message(.unreliable, 9)
    #expect(receive(0, late) == nil)
    now = now + .milliseconds(500)
    connection.advance(to: now, &workspace)
    #expect(receive(1, [3, 0]) == nil)
    #expect(takeEvents().isEmpty)
  }

  @Test("A peer that leaves holes on purpose makes us remember 256, at any pace")
  func manyHoles() {
    var told = 0
    for packet in UInt64(0)..<40 {
      let sequences = (0..<100).map { 2 * (packet * 100 + $0) + 1 }
      #expect(receive(packet, sequences.flatMap { message(.unreliable, $0) }) == nil)
      now = now + .milliseconds(1)
      connection.tellGaps(at: now, &workspace)
      for event in takeEvents() {
        if case .gap = event { told += 1 }
      }
      #expect(Int(packet + 1) * 100 - told <= 256)
    }
  }

  @Test("Damaged and random packets are taken in or refused", arguments: UInt64(0)..<20)
  func noise(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<5 {
      connection.owesPing = true
      #expect(!transmit().isEmpty)
    }
    let good =
      acknowledgement(of: 3...4, 0...1) + message(.ordered, 3) + message(.unreliable, 70)
      + [1, 0]
    for number in UInt64(0)..<300 {
      var frames = good
      if Bool.random(using: &generator) {
        frames[.random(in: frames.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      } else {
        frames = WireBytes.random(count: .random(in: 0...60, using: &generator), from: &generator)
        if !frames.isEmpty { frames[0] &= 0x2F }
      }
      _ = receive(number, frames)
      now = now + .milliseconds(1)
      connection.advance(to: now, &workspace)
      while connection.wantsToTransmit(at: now) {
        let datagram = transmit()
        #expect(datagram.count <= ProtocolLimits.baseDatagramSize)
      }
    }
    #expect(connection.recovery.bytesInFlight >= 0)
    #expect(connection.received.ranges.count <= 64)
  }
}
