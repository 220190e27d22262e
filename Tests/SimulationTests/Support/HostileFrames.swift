import ChatTransport
import Primitives

@testable import DatagramPeer

/// Frames that are well formed and mean harm.
enum HostileFrames {
  static func packet(_ header: PacketHeader, _ frames: [UInt8]) -> [UInt8] {
    [UInt8](capacity: PacketHeader.maximumSize) { header.emit(into: &$0) } + frames
  }

  /// One to eight frames, with numbers that are small, large, or the largest there are.
  static func random(_ generator: inout SplitMix64) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...8, using: &generator) { bytes += frame(&generator) }
    return bytes
  }

  private static func frame(_ generator: inout SplitMix64) -> [UInt8] {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0..<4: return [Frame.Kind.ping, Frame.Kind.padding]
    case 4: return [Frame.Kind.close, UInt8.random(in: 0...1, using: &generator)]
    case 5..<20:
      var bytes = [Frame.Kind.acknowledgement] + number(&generator) + number(&generator)
      let count = UInt8.random(in: 0...3, using: &generator)
      bytes += [count] + number(&generator)
      for _ in 0..<count { bytes += number(&generator) + number(&generator) }
      return bytes
    default:
      let length = UInt8.random(in: 0...20, using: &generator)
      let kinds: [UInt8] = [0x10, 0x14, 0x20, 0x22, 0x24, 0x26, 0x28, 0x2A, 0x2C]
      let kind = kinds.randomElement(using: &generator) ?? 0x10
      var bytes = [kind | UInt8.random(in: 0...1, using: &generator)]
      bytes += [UInt8.random(in: 0...3, using: &generator)] + number(&generator)
      switch kind {
      case 0x14: bytes += number(&generator) + number(&generator) + [length]
      case 0x28: return bytes + number(&generator) + number(&generator) + number(&generator)
      case 0x2A, 0x2C: return bytes
      case 0x20, 0x24: break
      default: bytes += [length]
      }
      return bytes + Array(repeating: 7, count: Int(length))
    }
  }

  private static func number(_ generator: inout SplitMix64) -> [UInt8] {
    let value =
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<6: UInt64.random(in: 0..<8, using: &generator)
      case 6..<8: UInt64.random(in: 0..<2_048, using: &generator)
      case 8: UInt64.random(in: 0...variableLengthMaximum, using: &generator)
      default: variableLengthMaximum
      }
    return [UInt8](capacity: 8) { $0.append(variableLength: value) }
  }
}
