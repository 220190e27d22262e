import NetworkEmulator
import Primitives
import Testing

@testable import DatagramPeer

/// A peer that is connected, and lies about what it got.
struct HostilePeerTests {
  /// The largest number that the wire can carry.
  private static let huge: [UInt8] = [0xFF] + Array(repeating: 0xFF, count: 7)

  /// Acknowledgements, each with what is wrong about it.
  static let lies: [(String, [UInt8])] = [
    ("packets that were never sent", [0x02] + huge + [0, 0, 0]),
    ("everything from the largest number down", [0x02] + huge + [0, 0] + huge),
    ("a range that goes below zero", [0x02, 5, 0, 0, 6]),
    ("more ranges than there are bytes", [0x02, 5, 0] + huge + [0]),
    (
      "ranges that count down for ever",
      [0x02] + huge + [0, 63, 0] + Array(repeating: 0, count: 126)
    ),
    ("a gap that goes below zero", [0x02, 5, 0, 1, 0] + huge + [0]),
    ("a length that goes below zero", [0x02, 9, 0, 1, 0, 1] + huge),
    ("the largest delay", [0x02] + huge + huge + [0, 0]),
  ]

  @Test(arguments: lies)
  func `an acknowledgement that lies has no effect`(_ name: String, _ frame: [UInt8]) throws {
    let lan = EndpointLAN(seed: 1, impairment: Impairment(delay: .milliseconds(5)))
    let (first, second) = (lan.add(5), lan.add(3))
    lan.isCapturing = true
    try lan.join(first, second)
    lan.send([1], from: second)
    lan.network.run(for: .seconds(1))
    let data = lan.stopCapturing().last {
      $0.event == .delivered && $0.receiver == first && $0.bytes[0] & 0xC0 == 0x80
    }
    let genuine = try #require(data)
    let statistics = lan.network.statistics
    for number in UInt8(0)..<200 {
      // Three bytes of number, ahead of what the peer has sent.
      let header = [0x82] + genuine.bytes[1..<9] + [0, 1, number]
      lan.forge(header + frame, into: first, from: genuine.source)
      lan.send([number], from: first)
      lan.network.run(for: .milliseconds(20))
    }
    lan.network.run(for: .seconds(5))
    let expected = (UInt8(0)..<200).map { [$0] }
    let isComplete = lan.payloads(at: second).suffix(200) == expected[...]
    #expect(isComplete, "\(name)")
    #expect(lan.leaves(at: first) == [] && lan.leaves(at: second) == [], "\(name)")
    let sent = lan.network.statistics.sent - statistics.sent
    #expect(sent < 2_000, "\(name): \(sent) datagrams")
    lan.check(name)
  }
}
