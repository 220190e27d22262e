import ChatCodec
import Testing

/// Whatever is said comes back byte for byte, whatever it looks like.
struct RoundTripTests {
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func framesComeBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let frame = try generator.frame()
      let message = try frame.encoded()
      #expect(message.count == frame.encodedByteCount, "seed \(seed)")
      let decoded = try ChatFrame(decoding: message.span)
      #expect(try decoded == frame && decoded.encoded() == message, "seed \(seed)")
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func bareDatagramsComeBackWithALineEnd(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let frame = try generator.frame()
      for lineEnd in ["\n", "\r\n"] {
        // CR in front of LF is part of the line end, as no tool that ends lines in LF writes it.
        if case .msg(let text) = frame, text.last == 0x0D, lineEnd == "\n" { continue }
        let datagram = try frame.encoded() + bytes(lineEnd)
        #expect(isBare(datagram), "seed \(seed)")
        #expect(try ChatFrame(bareDatagram: datagram.span) == frame, "seed \(seed)")
      }
    }
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func roomLinesComeBack(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let line = try generator.roomLine()
      let message = try line.encoded()
      let decoded = try RoomLine(decoding: message.span)
      #expect(try decoded == line && decoded.encoded() == message, "seed \(seed)")
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func frame() throws -> ChatFrame {
    Int.random(in: 0..<4, using: &self) == 0 ? .iam(try name()) : .msg(text())
  }

  fileprivate mutating func roomLine() throws -> RoomLine {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .joined(try name())
    case 1: .left(try name())
    default: .said(try name(), text())
    }
  }

  private mutating func name() throws -> ChatName {
    try ChatName(
      "x" + pieces(of: ["Luke", " ", "é", "e\u{301}", "名", "🐕", " has joined", "."], upTo: 5))
  }

  private mutating func text() -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0..<6, using: &self) {
      text += bytes(
        pieces(
          of: [
            "\n", "\r\n", "\r", "iam:", "msg:", ":", "\u{2028}", "\0", "👩‍👩‍👧", "é", "hi there",
            " has joined", "\u{1B}[2J",
          ], upTo: 3))
      if Int.random(in: 0..<3, using: &self) == 0 {
        text.append(UInt8.random(in: .min ... .max, using: &self))
      }
    }
    return text
  }

  private mutating func pieces(of choice: [String], upTo limit: Int) -> String {
    (0..<Int.random(in: 0..<limit, using: &self)).map { _ in
      choice[Int.random(in: 0..<choice.count, using: &self)]
    }.joined()
  }
}
