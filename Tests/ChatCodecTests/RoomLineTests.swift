import ChatCodec
import Testing

struct RoomLineTests {
  @Test(arguments: [
    "Luke has joined", "Luke has joined\n", "Luke has joined\r\n", "Luke\n has joined\n",
    " Luke  has joined",
  ])
  func readsAJoin(message: String) throws {
    #expect(try line(message) == .joined(ChatName("Luke")))
  }

  @Test(arguments: ["Luke has left", "Luke has left\n", "Luke has left\r\n"])
  func readsALeave(message: String) throws {
    #expect(try line(message) == .left(ChatName("Luke")))
  }

  @Test(arguments: [
    ("Luke:hi", "Luke", "hi"),
    ("Luke:", "Luke", ""),
    ("Luke:see http://x/y", "Luke", "see http://x/y"),
    ("a:b has joined", "a", "b has joined"),
    ("a:b has left\n", "a", "b has left\n"),
    ("a has joined:b", "a has joined", "b"),
    ("gregg\n:text\n", "gregg", "text\n"),
    ("A: hi\r\n", "A", " hi\r\n"),
  ])
  func readsATextBehindTheFirstColon(message: String, name: String, text: String) throws {
    #expect(try line(message) == .said(ChatName(name), bytes(text)))
  }

  @Test func readsANameThatSoundsLikeANotice() throws {
    #expect(try line("x has left has joined") == .joined(ChatName("x has left")))
    #expect(try line("x has joined has left") == .left(ChatName("x has joined")))
  }

  @Test(arguments: [
    ("", RoomLineError.empty),
    ("hello", .unknownNotice(bytes: 5)),
    ("\n", .unknownNotice(bytes: 1)),
    ("Luke has Joined", .unknownNotice(bytes: 15)),
    ("Luke has joined ", .unknownNotice(bytes: 16)),
    ("Luke has joined\n\n", .unknownNotice(bytes: 17)),
    ("has joined", .unknownNotice(bytes: 10)),
    (" has joined", .invalidName(.empty)),
    (" has left", .invalidName(.empty)),
    (":hi", .invalidName(.empty)),
    ("a\u{1B}b:hi", .invalidName(.controlCharacter("\u{1B}", at: 1))),
    ("Luke\ngregg has joined", .invalidName(.controlCharacter("\n", at: 4))),
  ])
  func refusesWithReasonAndPlace(message: String, error: RoomLineError) {
    #expect(throws: error) { try line(message) }
  }

  @Test func writesWhatTheRoomSays() throws {
    let luke = try ChatName("Luke")
    #expect(try RoomLine.joined(luke).encoded() == bytes("Luke has joined"))
    #expect(try RoomLine.left(luke).encoded() == bytes("Luke has left"))
    #expect(try RoomLine.said(luke, bytes("a:b\n")).encoded() == bytes("Luke:a:b\n"))
  }

  @Test func carriesTextsOfUpTo64KiB() throws {
    let luke = try ChatName("Luke")
    let largest = [UInt8](repeating: 0x3A, count: 65_536)
    let message = try RoomLine.said(luke, largest).encoded()
    #expect(try RoomLine(decoding: message.span) == .said(luke, largest))

    let error = RoomLineError.textTooLong(bytes: 65_537, limit: 65_536)
    #expect(throws: error) { try RoomLine.said(luke, largest + [0x3A]).encoded() }
    #expect(throws: error) { try RoomLine(decoding: (message + [0x3A]).span) }
  }

  @Test(arguments: [
    (RoomLineError.empty, "an empty line: expected NAME:TEXT, NAME has joined or NAME has left"),
    (
      .unknownNotice(bytes: 5),
      "an unknown line: expected NAME:TEXT, NAME has joined or NAME has left"
    ),
    (.invalidName(.containsColon(at: 1)), "a name cannot contain a colon (at byte 1)"),
    (
      .textTooLong(bytes: 65_537, limit: 65_536),
      "a text cannot be longer than 65536 bytes, and this one has 65537"
    ),
  ])
  func saysWhyInOneSafeLine(error: RoomLineError, line: String) {
    #expect(error.description == line)
  }
}

private func line(_ message: String) throws -> RoomLine {
  try RoomLine(decoding: bytes(message).span)
}
