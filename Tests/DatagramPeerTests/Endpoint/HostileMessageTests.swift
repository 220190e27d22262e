import ChatTransport
import Primitives
import Testing

@testable import DatagramPeer

/// A peer that is connected and begins what it does not end: what that may cost, and for how long.
struct HostileMessageTests {
  @Test(
    "Fragments without end hold at most 256 KiB, and nothing a second after the last",
    arguments: [1_200, 65_536] as [UInt64], [false, true])
  func fragments(total: UInt64, isSequenced: Bool) {
    var peer = HostilePeer()
    var most = 0
    for sequence in UInt64(0)..<20_000 {
      peer.send(
        HostilePeer.fragment(
          of: sequence, total: total, at: sequence % total, isSequenced: isSequenced))
      most = max(most, peer.heldBytes)
      if sequence % 16 == 0 { _ = peer.pass(.milliseconds(1)) }
      _ = peer.driver.takeEvents()
    }
    #expect(most > 0 && most <= Reassembly.maximumBytes)
    _ = peer.pass(.milliseconds(1_100))
    let left = peer.heldBytes
    #expect(left == 0)
  }

  @Test("A message that grows for ever by a byte holds what it said it was, and no more")
  func slowFragments() {
    var peer = HostilePeer()
    var most = 0
    for offset in UInt64(0)..<30_000 {
      peer.send(HostilePeer.fragment(of: 0, total: 65_536, at: offset * 2))
      most = max(most, peer.heldBytes)
      if offset % 16 == 0 { _ = peer.pass(.milliseconds(900)) }
    }
    #expect(most == 65_536)
  }

  @Test(
    "A message of a stream that is never finished ends the connection after its time",
    arguments: [true, false])
  func unfinished(isOrdered: Bool) {
    var configuration = DatagramConfiguration()
    configuration.unfinishedTimeout = .seconds(10)
    var peer = HostilePeer(3, configuration)
    // 100 bytes, and there are ten.
    peer.send(
      HostilePeer.chunk([0x40, 100] + Array(repeating: 1, count: 8), at: 0, isOrdered: isOrdered))
    for _ in 0..<9 {
      _ = peer.pass(.seconds(1))
      peer.send([Frame.Kind.ping])
    }
    let isThere = peer.isConnected
    #expect(isThere)
    var sent: [[UInt8]] = []
    for _ in 0..<6 {
      sent += peer.pass(.seconds(1))
      peer.send([Frame.Kind.ping])
    }
    let reason = peer.takeLeaving()
    #expect(reason == .brokeProtocol)
    let saysWhy = sent.contains { $0.suffix(2) == [Frame.Kind.close, 2] }
    #expect(saysWhy)
    let (left, isBlank) = (peer.heldBytes, peer.driver.endpoint.workspace.bufferedBytes == 0)
    #expect(left == 0 && isBlank)
  }

  @Test("Beginnings on all 512 streams hold at most twice what the connection's window allows")
  func beginnings() {
    var configuration = DatagramConfiguration()
    configuration.maximumConnectionWindow = ProtocolLimits.connectionWindow
    var peer = HostilePeer(3, configuration)
    var most = 0
    // The farthest byte of each stream first, and then always nearer ones.
    for shift in 0..<10 {
      let offset = UInt64(ProtocolLimits.streamWindow >> shift) - 1
      for channel in UInt8.min...UInt8.max {
        for isOrdered in [true, false] {
          peer.send(HostilePeer.chunk([9], at: offset, isOrdered: isOrdered, channel: channel))
        }
      }
      most = max(most, peer.heldBytes)
    }
    let refused = peer.drops(.noRoom)
    #expect(refused > 0)
    // The frames of a packet may exceed the window by as much as a datagram can hold.
    #expect(most > 0 && most <= 2 * (ProtocolLimits.connectionWindow + 65_536))
  }

  @Test("All peers together hold at most the limit, and what is in order goes on")
  func allTogether() {
    var configuration = DatagramConfiguration()
    configuration.receiveMemoryLimit = 20_000
    var peer = HostilePeer(3, configuration)
    var most = 0
    for offset in UInt64(1)..<2_000 {
      peer.send(HostilePeer.chunk([9], at: offset * 128))
      most = max(most, peer.driver.endpoint.workspace.bufferedBytes)
    }
    // The ring that reaches it is doubled once.
    #expect(most > 0 && most <= 2 * 20_000)
    // Somebody honest, in the same place.
    peer.send(HostilePeer.chunk([1, 42], at: 0, channel: 9))
    let got = peer.driver.takeEvents().contains { event in
      if case .message(let message) = event { message.payload == [42] } else { false }
    }
    #expect(got)
  }
}
