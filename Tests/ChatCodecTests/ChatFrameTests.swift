import ChatCodec
import Testing

struct ChatFrameTests {
  @Test(arguments: [
    "iam:Luke", "iam:Luke\n", "iam:Luke\r\n", "iam: Luke \t", "iam:\n\nLuke",
  ])
  func readsANameWithoutWhiteSpaceAround(message: String) throws {
    #expect(try frame(message) == .iam(ChatName("Luke")))
  }

  @Test(arguments: [
    "", "hi", ":", "see http://x.y:80/z", "iam:Bob", "msg:hi", "one\nmsg:two\n",
    " \t hi there \t \r\n",
    "\n", "\0", "a\u{2028}b", "héllo 🐕", "Luke has joined",
  ])
  func readsATextByteForByte(text: String) throws {
    #expect(try frame("msg:" + text) == .msg(Array(text.utf8)))
  }

  @Test func readsATextThatIsNotUTF8() throws {
    #expect(
      try ChatFrame(decoding: (bytes("msg:") + [0xFF, 0x80, 0x00]).span) == .msg([0xFF, 0x80, 0]))
  }

  @Test(arguments: [
    ("", ChatFrameError.empty),
    ("iam", .missingColon(bytes: 3)),
    ("hello", .missingColon(bytes: 5)),
    ("\n", .missingColon(bytes: 1)),
    ("IAM:x", .unknownVerb(start: Array("IAM".utf8), length: 3)),
    ("Msg:x", .unknownVerb(start: Array("Msg".utf8), length: 3)),
    (" iam:x", .unknownVerb(start: Array(" iam".utf8), length: 4)),
    ("\nmsg:x", .unknownVerb(start: Array("\nmsg".utf8), length: 4)),
    ("iam :x", .unknownVerb(start: Array("iam ".utf8), length: 4)),
    (":iam:x", .unknownVerb(start: [], length: 0)),
    ("msgs:x", .unknownVerb(start: Array("msgs".utf8), length: 4)),
    ("aVeryLongVerb:x", .unknownVerb(start: Array("aVeryLon".utf8), length: 13)),
    ("iam:", .invalidName(.empty)),
    ("iam: \n", .invalidName(.empty)),
    ("iam:a:b", .invalidName(.containsColon(at: 1))),
    ("iam:Luke\nmsg:hi", .invalidName(.controlCharacter("\n", at: 4))),
  ])
  func refusesWithReasonAndPlace(message: String, error: ChatFrameError) {
    #expect(throws: error) { try frame(message) }
  }

  @Test func refusesANameThatIsNotUTF8() {
    #expect(throws: ChatFrameError.invalidName(.invalidUTF8(at: 1))) {
      try ChatFrame(decoding: (bytes("iam:a") + [0xFF]).span)
    }
  }

  @Test(arguments: [
    (ChatFrameError.empty, "an empty frame: expected iam:NAME or msg:TEXT"),
    (.missingColon(bytes: 5), "a frame without a colon: expected iam:NAME or msg:TEXT"),
    (
      .unknownVerb(start: Array("\u{1B}[2J\\é".utf8), length: 30),
      #"a frame cannot start with "\x1b[2J\x5c\xc3\xa9...:": expected iam: or msg:"#
    ),
    (.invalidName(.empty), "a name cannot be empty"),
    (
      .textTooLong(bytes: 65_537, limit: 65_536),
      "a text cannot be longer than 65536 bytes, and this one has 65537"
    ),
  ])
  func saysWhyInOneSafeLine(error: ChatFrameError, line: String) {
    #expect(error.description == line)
  }

  @Test func writesItsVerbAndTheRest() throws {
    #expect(try ChatFrame.iam(ChatName("名")).encoded() == bytes("iam:名"))
    #expect(try ChatFrame.msg(bytes("a:b\n")).encoded() == bytes("msg:a:b\n"))
  }

  @Test func writesTheSameBytesIntoABuffer() throws {
    let frames = [ChatFrame.iam(try ChatName("Luke")), .msg(bytes("hi")), .msg([])]
    for frame in frames {
      let written = [UInt8](capacity: frame.encodedByteCount) { output in
        #expect(throws: Never.self) { try frame.encode(into: &output) }
      }
      #expect(try frame.encoded() == written)
    }
  }

  @Test func carriesTextsOfUpTo64KiB() throws {
    let largest = [UInt8](repeating: 0x0A, count: 65_536)
    let message = try ChatFrame.msg(largest).encoded()
    #expect(try ChatFrame(decoding: message.span) == .msg(largest))

    let error = ChatFrameError.textTooLong(bytes: 65_537, limit: 65_536)
    #expect(throws: error) { try ChatFrame.msg(largest + [0x0A]).encoded() }
    #expect(throws: error) { try ChatFrame(decoding: (message + [0x0A]).span) }
  }
}

private func frame(_ message: String) throws -> ChatFrame {
  try ChatFrame(decoding: bytes(message).span)
}
