import ChatCodec
import Testing

/// Nothing that comes from elsewhere ends the program; and what is accepted is consistent: it can
/// be written again, and then reads as the same.
struct UntrustedBytesTests {
  static let samples: [[UInt8]] = [
    bytes("iam:Luke"), bytes("iam: 名 🐕\r\n"), bytes("msg:hi there\n"), bytes("msg:iam:é\0\u{2028}"),
    bytes("Luke has joined\r\n"), bytes("名 has left\n"), bytes("Luke:iam:🐕\n"),
    bytes("a:b has joined"),
  ]

  @Test(arguments: samples)
  func everyPrefixIsReadOrRefused(sample: [UInt8]) throws {
    for end in 0...sample.count { try expectConsistency(of: Array(sample[..<end])) }
  }

  @Test(arguments: samples)
  func everyChangeOfOneByteIsReadOrRefused(sample: [UInt8]) throws {
    for index in sample.indices {
      var changed = sample
      for value in UInt8.min ... .max {
        changed[index] = value
        try expectConsistency(of: changed)
      }
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func randomBytesAreReadOrRefused(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      // Half of them with a verb, or they would hardly ever get beyond it.
      var input = [bytes("iam:"), bytes("msg:"), [], []][Int.random(in: 0..<4, using: &generator)]
      for _ in 0..<Int.random(in: 0..<100, using: &generator) {
        input.append(UInt8.random(in: .min ... .max, using: &generator))
      }
      try expectConsistency(of: input, "seed \(seed)")
    }
  }

  private func expectConsistency(of input: [UInt8], _ comment: Comment? = nil) throws {
    if let frame = try? ChatFrame(decoding: input.span) {
      let written = try frame.encoded()
      #expect(try ChatFrame(decoding: written.span) == frame, comment)
    }
    if let frame = try? ChatFrame(bareDatagram: input.span) {
      let written = try frame.encoded()
      #expect(try ChatFrame(decoding: written.span) == frame, comment)
      #expect(isBare(input), comment)
    }
    if let line = try? RoomLine(decoding: input.span) {
      let written = try line.encoded()
      #expect(try RoomLine(decoding: written.span) == line, comment)
    }
    if let name = try? ChatName(bytes: input.span) {
      #expect(try ChatName(name.text) == name && name.text.utf8.count <= 64, comment)
      #expect(!name.text.unicodeScalars.contains(":"), comment)
    }
  }
}
