import Host
import Testing

@Suite struct LineReaderTests {
  private typealias Line = LineReader.Line

  private static let long = Line.tooLong(limit: 4)

  private static func line(_ text: String) -> Line { .line(Array(text.utf8)) }

  private static let table: [(String, [Line])] = [
    ("", []),
    ("\n", [line("")]),
    ("a\n", [line("a")]),
    ("a", [line("a")]),
    ("a\nb", [line("a"), line("b")]),
    ("a\r\nb\r\n", [line("a"), line("b")]),
    ("a\r", [line("a\r")]),
    ("a\rb\n", [line("a\rb")]),
    ("a\r\r\n", [line("a\r")]),
    ("\r\n\r\n", [line(""), line("")]),
    ("\n\n", [line(""), line("")]),
    ("a\0b\n", [line("a\0b")]),
    ("abcd\n", [line("abcd")]),
    ("abcd\r\n", [line("abcd")]),
    ("abcd", [line("abcd")]),
    ("abcde\n", [long]),
    ("abcde\r\nf\n", [long, line("f")]),
    ("abcd\r", [long]),
    ("abcd\re\nf\n", [long, line("f")]),
    ("abc\r\r\nf", [line("abc\r"), line("f")]),
    ("abcd\r\r\nf", [long, line("f")]),
    ("abcdefghijklmnop", [long]),
    ("abcdefghij\nabcdefghij\n", [long, long]),
    ("é\u{1F600}\n", [long]),
  ]

  /// The lines of bytes that come in pieces of a size.
  private func lines(of text: String, in size: Int) -> [Line] {
    var reader = LineReader(limit: 4)
    var result: [Line] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes.span.extracting(start..<min(start + size, bytes.count)))
      while let line = reader.next() { result.append(line) }
    }
    reader.finish()
    while let line = reader.next() { result.append(line) }
    return result
  }

  @Test(arguments: table.indices, [1, 2, 3, 100])
  func bytesBecomeTheSameLinesHoweverTheyCome(row: Int, size: Int) {
    let (text, expected) = Self.table[row]
    #expect(lines(of: text, in: size) == expected, "\(text.debugDescription)")
  }

  @Test func aLineThatIsTooLongIsToldOfBeforeItEnds() {
    var reader = LineReader(limit: 4)
    reader.append(Array("abcde".utf8).span)
    #expect(reader.next() == Self.long)
    reader.append(Array("fghi\nj\n".utf8).span)
    #expect(reader.next() == Self.line("j"))
    #expect(reader.next() == nil)
  }

  @Test func theDefaultLimitIsAboveTheLargestText() {
    var reader = LineReader()
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: LineReader.defaultLimit)
    #expect(text.count > 65_536)
    reader.append(text.span)
    reader.append(Array("\n".utf8).span)
    #expect(reader.next() == .line(text))
  }
}
