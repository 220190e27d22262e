import NetworkEmulator
import Primitives

/// Has seen datagrams that arrived, and can send from every address; the identifiers of connections
/// he makes use of only where he plays a datagram again just as it was.
final class Attacker {
  /// The latest datagrams that arrived.
  private var seen: [CapturedDatagram] = []
  private var next = 0
  /// The first datagrams by which somebody called.
  private var calls: [[UInt8]] = []

  private static let memory = 512

  func observe(_ datagram: CapturedDatagram) {
    guard datagram.event == .delivered, datagram.sender != nil else { return }
    // A hello and an open.
    if calls.count < 16, datagram.bytes[0] & 0xFD == 0xC0 { calls.append(datagram.bytes) }
    if seen.count < Self.memory {
      seen.append(datagram)
    } else {
      seen[next] = datagram
      next = (next + 1) % Self.memory
    }
  }

  /// The next datagram of an attack, and whether there is one.
  func datagram(
    _ kind: Action.Attack.Kind, _ draw: inout Draw
  ) -> (bytes: [UInt8], receiver: HostID?)? {
    switch kind {
    case .replay:
      guard !seen.isEmpty else { return nil }
      let datagram = draw.element(of: seen)
      return (datagram.bytes, datagram.receiver)
    case .mutation:
      guard !seen.isEmpty else { return nil }
      let datagram = draw.element(of: seen)
      return (mutation(of: datagram.bytes, &draw), datagram.receiver)
    case .randomBytes: return (noise(draw.logarithmic(0...1_500), &draw), nil)
    case .forgedHeader:
      // Both kinds of packets, in their present version.
      let first = draw.element(of: [0x80, 0x81, 0x82, 0x83, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5])
      return ([UInt8(first), 1] + noise(draw.logarithmic(0...200), &draw), nil)
    case .beacon: return nil
    }
  }

  /// A call as others make it, of somebody who does not exist.
  func call(_ draw: inout Draw) -> [UInt8]? {
    guard !calls.isEmpty else { return nil }
    var call = draw.element(of: calls)
    // The identifier and the dialler stand behind the kind and the version.
    for index in 2..<34 where index < call.count {
      call[index] = UInt8(truncatingIfNeeded: draw.bits())
    }
    return call
  }

  private func noise(_ count: Int, _ draw: inout Draw) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: draw.bits()) }
  }

  /// The identifier begins behind the first byte of a data packet, and behind the second of a
  /// handshake packet: all that could be it is made up anew.
  private func mutation(of bytes: [UInt8], _ draw: inout Draw) -> [UInt8] {
    var bytes = bytes
    for index in 1..<10 where index < bytes.count && (index > 1 || bytes[0] & 0xC0 == 0x80) {
      bytes[index] = UInt8(truncatingIfNeeded: draw.bits())
    }
    guard !bytes.isEmpty else { return bytes }
    for _ in 0..<draw.integer(0...4) {
      bytes[draw.integer(0...bytes.count - 1)] ^= 1 << UInt8(draw.integer(0...7))
    }
    if draw.chance(0.3) { bytes.removeLast(draw.integer(0...bytes.count)) }
    if draw.chance(0.1) { bytes += noise(draw.integer(1...100), &draw) }
    return bytes
  }
}
