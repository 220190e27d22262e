import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// A peer that is connected and does not keep to windows, nor to what may be skipped.
struct HostileWindowTests {
  @Test(
    "A chunk beyond a window is neither taken nor acknowledged",
    arguments: [256 << 10, 1 << 30, (1 << 62) - 300] as [UInt64])
  func beyond(offset: UInt64) {
    var peer = HostilePeer()
    for channel in UInt8(0)..<3 {
      peer.send(HostilePeer.chunk(Array(repeating: 1, count: 100), at: offset, channel: channel))
    }
    let (held, refused) = (peer.heldBytes, peer.drops(.noRoom))
    #expect(held == 0 && refused == 3)
    // Packet 0 was the ping that opened the connection.
    let acknowledged = HostilePeer.acknowledged(in: peer.pass(.seconds(1)))
    #expect(acknowledged ?? 0 == 0)
    peer.send(HostilePeer.chunk([1, 42], at: 0))
    let isTaken = peer.driver.takeEvents().contains { event in
      if case .message = event { true } else { false }
    }
    #expect(isTaken)
  }

  @Test("A skip of as many messages as a window has bytes is one gap, told at once")
  func enormousSkip() {
    var peer = HostilePeer()
    let window = UInt64(ProtocolLimits.streamWindow)
    _ = peer.driver.takeEvents()
    var end: UInt64 = 0
    var gaps = 0
    // The windows move on behind them, so that he may go on.
    for _ in 0..<1_000 {
      peer.send(HostilePeer.skip(end..<end + window, first: end, count: window))
      end += window
      let events = peer.driver.takeEvents()
      gaps += events.count
      _ = peer.pass(.milliseconds(1))
    }
    #expect(gaps <= 1_000 && gaps > 0)
    let held = peer.heldBytes
    #expect(held == 0)
  }

  @Test(
    "Skips of more than there can be have no effect, or end the connection",
    arguments: [
      HostilePeer.skip(0..<(1 << 61), first: 0, count: 1 << 61),
      HostilePeer.skip(0..<(1 << 61), first: (1 << 61), count: 1 << 60),
      HostilePeer.skip(0..<10, first: 0, count: 11),
      HostilePeer.skip(0..<10, first: (1 << 62) - 1, count: 10),
      HostilePeer.skip(0..<10, first: 1 << 40, count: 10),
      HostilePeer.skip((1 << 61)..<(1 << 61) + 10, first: 0, count: 10),
    ])
  func impossibleSkips(frame: [UInt8]) {
    var peer = HostilePeer()
    _ = peer.driver.takeEvents()
    peer.send(frame)
    let events = peer.driver.takeEvents()
    let isHarmless = events.allSatisfy { event in
      if case .peerLeft(_, .brokeProtocol) = event { true } else { false }
    }
    #expect(isHarmless, "\(events)")
    let held = peer.heldBytes
    #expect(held == 0)
  }

  @Test("Beginnings of messages without end are refused from the 1,024th on")
  func boundaries() {
    var peer = HostilePeer()
    // Each says that it is a message of 63 bytes, and has one of them; the first is not there.
    for number in UInt64(1)..<4_000 {
      peer.send(HostilePeer.chunk([63, 1], at: number * 64, isOrdered: false))
    }
    let stream = peer.driver.endpoint.connections[0].receiving.streams[0]
    #expect(!stream.isOrdered)
    #expect((1...ReceiveStream.maximumPieces).contains(stream.pending.count))
    #expect((1...ReceiveStream.maximumPieces).contains(stream.received.count))
    let refused = peer.drops(.noRoom)
    #expect(refused > 2_900)
  }

  @Test("Windows that go backwards mean nothing, whatever comes in between")
  func backwards() throws {
    var peer = HostilePeer()
    let send = { (peer: inout HostilePeer) in
      let payload = [UInt8](repeating: 1, count: 1_000)
      var accepted = 0
      for _ in 0..<100 {
        let isTaken =
          (try? peer.driver.endpoint.send(
            payload.span, to: .everyone, SendOptions(), at: peer.driver.now)) != nil
        accepted += isTaken ? 1 : 0
      }
      return accepted
    }
    for limit in [0, 1, 1_000, UInt64(ProtocolLimits.streamWindow) - 1] {
      peer.send(HostilePeer.streamWindow(limit) + HostilePeer.window(limit))
    }
    let accepted = send(&peer)
    #expect(accepted == 100)
    let first = limits(of: peer)
    #expect(first.connection == UInt64(ProtocolLimits.connectionWindow))
    #expect(first.stream == UInt64(ProtocolLimits.streamWindow))
    peer.send(HostilePeer.streamWindow(1 << 20) + HostilePeer.window(1 << 21))
    peer.send(HostilePeer.streamWindow(1 << 10) + HostilePeer.window(1 << 11))
    let later = limits(of: peer)
    #expect(later.connection == 1 << 21 && later.stream == 1 << 20)
  }

  /// The windows by which the endpoint goes.
  private func limits(of peer: borrowing HostilePeer) -> (connection: UInt64, stream: UInt64) {
    let connection = peer.driver.endpoint.connections[0].sending.limit
    return (connection, peer.driver.endpoint.connections[0].sending.streams[0].limit)
  }

  @Test("Windows without end change nothing about what is held and what is under way")
  func endless() {
    var configuration = DatagramConfiguration()
    configuration.sendQueueLimit = 1 << 20
    var peer = HostilePeer(3, configuration)
    let payload = [UInt8](repeating: 1, count: 1_000)
    var (most, sent) = (0, 0)
    for _ in 0..<5_000 {
      peer.send(
        HostilePeer.window(variableLengthMaximum)
          + HostilePeer.streamWindow(variableLengthMaximum))
      _ = try? peer.driver.endpoint.send(
        payload.span, to: .everyone, SendOptions(), at: peer.driver.now)
      most = max(most, peer.queuedBytes)
      sent += peer.pass(.microseconds(100)).reduce(0) { $0 + $1.count }
    }
    #expect(most <= 1 << 20)
    // He acknowledges nothing, so that half a second brings him the first window and probes.
    #expect(sent < 100_000, "\(sent) bytes")
  }
}
