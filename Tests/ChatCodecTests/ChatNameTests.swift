import ChatCodec
import Testing

struct ChatNameTests {
  @Test(arguments: [
    ("Luke", "Luke"),
    ("  Luke \t", "Luke"),
    ("gregg\n", "gregg"),
    ("gregg\r\n", "gregg"),
    ("\u{2028}\u{A0}\u{3000}Luke\u{85}\u{2029}", "Luke"),
    ("Luke Sky  walker", "Luke Sky  walker"),
    ("名前", "名前"),
    ("👩‍👩‍👧", "👩‍👩‍👧"),
    ("می‌خواهم", "می‌خواهم"),
    ("a：b", "a：b"),
    ("x has joined", "x has joined"),
  ])
  func isTakenWithoutWhiteSpaceAround(text: String, name: String) throws {
    #expect(Array(try ChatName(text).text.utf8) == Array(name.utf8))
    #expect(Array(try ChatName(bytes: Array(text.utf8).span).text.utf8) == Array(name.utf8))
  }

  @Test(arguments: [
    ("", ChatNameError.empty),
    (" \t\r\n\u{2028}", .empty),
    ("\u{200B}\u{200D}\u{FEFF}", .empty),
    (":", .containsColon(at: 0)),
    ("  a:b", .containsColon(at: 3)),
    ("名:b", .containsColon(at: 3)),
    ("a\nb", .controlCharacter("\n", at: 1)),
    ("a\r\nb", .controlCharacter("\r", at: 1)),
    ("\0", .controlCharacter("\0", at: 0)),
    ("\0Luke", .controlCharacter("\0", at: 0)),
    ("Luke\u{1B}[2J", .controlCharacter("\u{1B}", at: 4)),
    ("a\u{7F}", .controlCharacter("\u{7F}", at: 1)),
    ("é\u{9B}", .controlCharacter("\u{9B}", at: 2)),
    ("a\u{85}b", .controlCharacter("\u{85}", at: 1)),
    ("a\u{2028}b", .controlCharacter("\u{2028}", at: 1)),
    ("a\u{2029}b", .controlCharacter("\u{2029}", at: 1)),
    ("a\u{1F}:", .controlCharacter("\u{1F}", at: 1)),
  ])
  func isRefusedWithReasonAndPlace(text: String, error: ChatNameError) {
    #expect(throws: error) { try ChatName(text) }
    #expect(throws: error) { try ChatName(bytes: Array(text.utf8).span) }
  }

  /// All that may not stand inside a name, and no neighbour of it.
  @Test func refusesExactlyTheCharactersThatDisturbALine() throws {
    let refused: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x3A...0x3A, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E,
      0x2066...0x2069,
    ]
    for scalar in (0...0x3000).compactMap({ Unicode.Scalar($0 as UInt32) }) {
      let isName = (try? ChatName("Lu\(Character(scalar))ke")) != nil
      #expect(isName != refused.contains { $0.contains(scalar.value) }, "\(scalar.value)")
    }
  }

  @Test(
    arguments: [
      ([0xFF], 0),
      ([0x4C, 0x75, 0xC3], 2),
      ([0x4C, 0xC0, 0x80], 1),
      ([0x20, 0xED, 0xA0, 0x80], 1),
      ([0xF0, 0x9F, 0x90], 0),
      ([0x61, 0x80], 1),
      ([0xF4, 0x90, 0x80, 0x80], 0),
    ] as [([UInt8], Int)])
  func refusesInvalidUTF8AtItsPlace(bytes: [UInt8], offset: Int) {
    #expect(throws: ChatNameError.invalidUTF8(at: offset)) { try ChatName(bytes: bytes.span) }
  }

  @Test func hasAtMost64Bytes() throws {
    let longest = String(repeating: "名", count: 21) + "a"
    #expect(try ChatName("  \(longest)  ").text == longest)
    #expect(throws: ChatNameError.tooLong(bytes: 65, limit: 64)) { try ChatName(longest + "b") }
  }

  @Test func equalsItselfInEveryNormalForm() throws {
    #expect(try ChatName("Ren\u{E9}") == ChatName("Rene\u{301}"))
  }

  @Test(arguments: [
    (ChatNameError.empty, "a name cannot be empty"),
    (
      .tooLong(bytes: 70, limit: 64),
      "a name cannot be longer than 64 bytes of UTF-8, and this one has 70"
    ),
    (.containsColon(at: 3), "a name cannot contain a colon (at byte 3)"),
    (
      .controlCharacter("\u{1B}", at: 4),
      "a name cannot contain a control character (U+001B at byte 4)"
    ),
    (
      .controlCharacter("\u{202E}", at: 0),
      "a name cannot contain a control character (U+202E at byte 0)"
    ),
    (.invalidUTF8(at: 2), "a name has to be valid UTF-8, and is not at byte 2"),
  ])
  func saysWhyInOneSafeLine(error: ChatNameError, line: String) {
    #expect(error.description == line)
  }
}

struct FittingNameTests {
  @Test func leavesAloneWhatFits() throws {
    #expect(try ChatName.fitting(" Luke ").text == "Luke")
  }

  @Test func cutsAfter64Bytes() throws {
    let name = try ChatName.fitting(String(repeating: "a", count: 100))
    #expect(name.text == String(repeating: "a", count: 64))
  }

  @Test(arguments: ["é", "e\u{301}", "名", "🐕", "👩‍👩‍👧", "🇩🇪", "👍🏽"])
  func neverCutsInsideACharacter(last: String) throws {
    for padding in 50..<64 {
      let front = String(repeating: "a", count: padding)
      let cut = try ChatName.fitting(front + last + "zzzzzzzzzzzzzzzz").text
      let expected = padding + last.utf8.count <= 64 ? front + last : front
      #expect(cut.hasPrefix(expected) && cut.utf8.count <= 64)
      #expect(cut.dropFirst(expected.count).allSatisfy { $0 == "z" })
    }
  }

  @Test func leavesNoWhiteSpaceAtTheCut() throws {
    let front = String(repeating: "a", count: 60)
    #expect(try ChatName.fitting(front + "    Skywalker").text == front)
  }

  @Test func overlooksWhatIsCutOff() throws {
    let front = String(repeating: "a", count: 64)
    #expect(try ChatName.fitting(front + ":\n").text == front)
  }

  @Test(arguments: [
    ("", ChatNameError.empty),
    ("  ", .empty),
    (" a:b", .containsColon(at: 2)),
    ("a\u{202E}b", .controlCharacter("\u{202E}", at: 1)),
  ])
  func refusesWhatCuttingDoesNotMend(text: String, error: ChatNameError) {
    #expect(throws: error) { try ChatName.fitting(text) }
  }

  @Test func refusesACharacterLargerThanAName() {
    let character = "e" + String(repeating: "\u{301}", count: 40)
    #expect(throws: ChatNameError.tooLong(bytes: 81, limit: 64)) {
      try ChatName.fitting(character)
    }
  }
}
