import ChatTransport
import Primitives

/// What messages hold: bytes that follow from which message it is, so that a wrong one shows.
enum Payload {
  /// From this size on a payload begins with the number of its message.
  static let numberedSize = 8

  /// The payload of a message that carries its number.
  static func bytes(number: Int, size: Int) -> [UInt8] {
    [UInt8](capacity: size) { (output: inout OutputSpan<UInt8>) in
      output.append(bigEndian: UInt64(number))
      fill(&output, from: UInt64(number), upTo: size)
    }
  }

  /// The payload of a message that is too small for a number: it is known by its place.
  static func bytes(
    channel: UInt8, delivery: Delivery, sequence: UInt64, size: Int
  ) -> [UInt8] {
    let name = sequence << 16 | UInt64(channel) << 8 | UInt64(delivery.rawValue)
    return [UInt8](capacity: size) { fill(&$0, from: ~name, upTo: size) }
  }

  /// The number that a payload begins with.
  static func number(in payload: [UInt8]) -> Int {
    var offset = 0
    return payload.span.uint64(at: &offset).flatMap { Int(exactly: $0) } ?? -1
  }

  private static func fill(
    _ output: inout OutputSpan<UInt8>, from name: UInt64, upTo size: Int
  ) {
    var word = mix64(name)
    while output.count < size {
      let width = min(8, size - output.count)
      output.append(word >> UInt64(64 - 8 * width), width: width)
      word = mix64(word)
    }
  }
}
